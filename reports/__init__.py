"""Tells: figures, templates and the report, from result tables alone.

Import what you need from its modules; this package imports nothing, because the command line loads it lazily.
"""
