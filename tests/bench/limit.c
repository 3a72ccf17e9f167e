/* The speed limit that `make bench` compares with: Flock Together, 4 players, uniformly random play, in plain C.
   Like a generic engine it lists every legal action of every decision and picks one.
   gcc -O3 -march=native limit.c -o limit && ./limit 200000     prints games per second on one core */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPECIES = 8, ROWS = 4, CARDS = 104, SEATS = 5 };

typedef struct {
  int small[SPECIES], big[SPECIES], cards[SPECIES];
  int win_species, win_sets, set_size, hand_size;
} Rules;

typedef struct {
  int8_t hand[SEATS][SPECIES], collection[SEATS][SPECIES];
  int8_t row[ROWS][CARDS], length[ROWS];
  int8_t deck[CARDS], discard[SPECIES];
  int top, in_deck, in_discard;
  int seat, seats, over, winner, turns;
  uint64_t random;
} State;

static inline uint64_t next_word(State *s) {
  uint64_t z = (s->random += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static inline int below(State *s, int n) { return (int)(((next_word(s) >> 32) * (uint64_t)n) >> 32); }

static int draw(State *s) {
  if (s->top == s->in_deck) {
    if (!s->in_discard) return -1;
    s->in_deck = s->top = s->in_discard = 0;
    for (int c = 0; c < SPECIES; c++) {
      for (int i = 0; i < s->discard[c]; i++) s->deck[s->in_deck++] = (int8_t)c;
      s->discard[c] = 0;
    }
  }
  int at = s->top + below(s, s->in_deck - s->top);
  int8_t card = s->deck[at];
  s->deck[at] = s->deck[s->top++];
  return card;
}

static inline void throw_away(State *s, int species, int cards) {
  s->discard[species] += (int8_t)cards;
  s->in_discard += cards;
}

static void set_up(State *s, const Rules *r, uint64_t seed, int seats) {
  memset(s, 0, sizeof *s);
  s->random = seed;
  s->seats = seats;
  s->winner = -1;
  for (int c = 0; c < SPECIES; c++)
    for (int i = 0; i < r->cards[c]; i++) s->deck[s->in_deck++] = (int8_t)c;
  for (int row = 0; row < ROWS; row++)
    while (s->length[row] < 3) {
      int card = draw(s), known = 0;
      for (int i = 0; i < s->length[row]; i++) known |= s->row[row][i] == card;
      if (known) throw_away(s, card, 1);
      else s->row[row][s->length[row]++] = (int8_t)card;
    }
  for (int p = 0; p < seats; p++)
    for (int i = 0; i < r->hand_size; i++) s->hand[p][draw(s)]++;
  for (int p = 0; p < seats; p++) s->collection[p][draw(s)]++;
}

static int sum(const int8_t *counts) {
  int total = 0;
  for (int c = 0; c < SPECIES; c++) total += counts[c];
  return total;
}

static void refill(State *s, int row) {
  for (;;) {
    int8_t *cards = s->row[row], n = s->length[row];
    for (int i = 1; i < n; i++)
      if (cards[i] != cards[0]) return;
    int card = draw(s);
    if (card < 0) return;
    cards[s->length[row]++] = (int8_t)card;
  }
}

static int lay(State *s, int species, int row, int right) {
  int8_t *cards = s->row[row], *hand = s->hand[s->seat];
  int laid = hand[species], n = s->length[row], at = -1, caught = 0;
  hand[species] = 0;
  if (right) {
    for (int i = n - 1; i >= 0 && at < 0; i--)
      if (cards[i] == species) at = i;
  } else {
    for (int i = 0; i < n && at < 0; i++)
      if (cards[i] == species) at = i;
  }
  if (right) {
    int kept = at < 0 ? n : at + 1;
    caught = n - kept;
    for (int i = kept; i < n; i++) hand[cards[i]]++;
    memset(cards + kept, species, laid);
    s->length[row] = (int8_t)(kept + laid);
  } else {
    caught = at < 0 ? 0 : at;
    for (int i = 0; i < caught; i++) hand[cards[i]]++;
    memmove(cards + laid, cards + caught, n - caught);
    memset(cards, species, laid);
    s->length[row] = (int8_t)(n - caught + laid);
  }
  if (caught) refill(s, row);
  return caught;
}

static int has_won(const State *s, const Rules *r) {
  int species = 0, sets = 0;
  for (int c = 0; c < SPECIES; c++) {
    species += s->collection[s->seat][c] > 0;
    sets += s->collection[s->seat][c] >= r->set_size;
  }
  return species >= r->win_species || sets >= r->win_sets;
}

static void new_round(State *s, const Rules *r) {
  for (int p = 0; p < s->seats; p++)
    for (int c = 0; c < SPECIES; c++) {
      throw_away(s, c, s->hand[p][c]);
      s->hand[p][c] = 0;
    }
  if (s->in_deck - s->top + s->in_discard < s->seats * r->hand_size) {
    s->over = 1;
    for (int p = 0, most = -1; p < s->seats; p++)
      if (sum(s->collection[p]) > most) most = sum(s->collection[p]), s->winner = p;
    return;
  }
  for (int p = 0; p < s->seats; p++)
    for (int i = 0; i < r->hand_size; i++) s->hand[p][draw(s)]++;
}

static int list_plays(const State *s, int *list) {
  int n = 0;
  for (int c = 0; c < SPECIES; c++)
    if (s->hand[s->seat][c] > 0)
      for (int place = 0; place < 2 * ROWS; place++) list[n++] = c * 2 * ROWS + place;
  return n;
}

static int list_flights(const State *s, const Rules *r, int *list) {
  int n = 1;
  list[0] = 0;
  for (int c = 0; c < SPECIES; c++)
    if (s->hand[s->seat][c] >= r->small[c]) list[n++] = c + 1;
  return n;
}

static void fly(State *s, const Rules *r, int species) {
  int shown = s->hand[s->seat][species], gain = shown >= r->big[species] ? 2 : 1;
  s->collection[s->seat][species] += (int8_t)gain;
  throw_away(s, species, shown - gain);
  s->hand[s->seat][species] = 0;
}

static void play(State *s, const Rules *r, uint64_t seed, int seats) {
  int list[SPECIES * 2 * ROWS];
  for (set_up(s, r, seed, seats); !s->over; ) {
    s->turns++;
    int action = list[below(s, list_plays(s, list))];
    int caught = lay(s, action / (2 * ROWS), action / 2 % ROWS, action % 2);
    if (!caught && below(s, 2))
      for (int i = 0, card; i < 2 && (card = draw(s)) >= 0; i++) s->hand[s->seat][card]++;
    if (sum(s->hand[s->seat])) {
      int n = list_flights(s, r, list), flight = n > 1 ? list[below(s, n)] : 0;
      if (flight) {
        fly(s, r, flight - 1);
        if (has_won(s, r)) {
          s->over = 1;
          s->winner = s->seat;
          return;
        }
      }
    }
    if (sum(s->hand[s->seat]) == 0) new_round(s, r);
    else s->seat = (s->seat + 1) % s->seats;
  }
}

int main(int argc, char **argv) {
  int games = argc > 1 ? atoi(argv[1]) : 200000;
  Rules rules = {{5, 5, 5, 5, 5, 2, 2, 2}, {7, 7, 7, 7, 7, 3, 3, 3}, {16, 16, 16, 16, 16, 8, 8, 8}, 7, 2, 3, 8};
  State state;
  struct timespec from, to;
  long turns = 0;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int g = 0; g < games; g++) {
    play(&state, &rules, (uint64_t)(g + 1) * 0xD1342543DE82EF95ull, 4);
    turns += state.turns;
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  double seconds = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  printf("games/s %.0f mean turns %.3f\n", games / seconds, (double)turns / games);
  return 0;
}
