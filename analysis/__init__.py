"""Asks: one question per .sql file over a run folder's Parquet, statistics and findings on top.

Import what you need from its modules; this package imports nothing, because the command line loads it lazily.
"""
