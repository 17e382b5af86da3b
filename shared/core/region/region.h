/* SPDX-License-Identifier: MIT */
/*
 * Declares the bytes of a region, as region-format.md specifies them: layout, validity, and the
 * writer's steps. os.h and client/own_region.h decide who owns a file, and slots.h decides which
 * slot an instance gets. Comments name rules (such as R7) and steps (such as T1) of
 * region-format.md.
 */
#ifndef PRFDATA_REGION_H
#define PRFDATA_REGION_H

#include <assert.h>

#include <prfdata/atomic.h>

#include "counting/lanes.h"
#include "map/model.h"

#define PRFDATA_REGION_MAGIC 0x52465250u /* "PRFR" */
#define PRFDATA_REGION_MAJOR 1
#define PRFDATA_REGION_MINOR 0
#define PRFDATA_REGION_LINE  64 /* bytes; sections, slots and cell strides are multiples of this */

/*
 * The most regions of one service that readers read. If the programs of several accounts have more
 * regions, each account gets a share of this number (shares.h).
 */
#define PRFDATA_MAX_REGIONS 1024

/*
 * The most memory that a reader uses for copies of regions of earlier maps. These copies are
 * converted to the current map. If the regions of several accounts could need more memory, each
 * account gets a share of this amount (shares.h).
 */
#define PRFDATA_MAX_COPIES_BYTES (256ull * 1024 * 1024)

/* The most files of one boot that a reader or writer lists at once. */
#define PRFDATA_MAX_REGION_FILES 16384

enum {
    PRFDATA_REGION_BUILDING = 0,
    PRFDATA_REGION_PUBLISHED = 1,
    PRFDATA_REGION_TAKEN_OVER = 2, /* being taken over */
    PRFDATA_REGION_CLOSED = 3
};

enum {
    PRFDATA_SLOT_FREE = 0,
    PRFDATA_SLOT_BUILDING = 1,
    PRFDATA_SLOT_LIVE = 2,
    PRFDATA_SLOT_DORMANT = 3
};

enum { PRFDATA_REGION_HINT_BRACKETS = 1 }; /* the current writer has used brackets */

enum { PRFDATA_SLOT_HAS_BASELINE = 1, PRFDATA_SLOT_HAS_UNIQUE_ID = 2 };

#define PRFDATA_SLOT_STATE(tag)             ((tag)&3u)
#define PRFDATA_SLOT_GENERATION(tag)        ((tag) >> 2)
#define PRFDATA_SLOT_TAG(generation, state) ((uint32_t)(generation) << 2 | (uint32_t)(state))

typedef struct prfdata_region_header {
    uint32_t magic;          /*  0 */
    uint16_t major;          /*  4 */
    uint16_t minor;          /*  6 */
    uint32_t features;       /*  8 */
    uint32_t hints;          /* 12 */
    uint64_t map_hash;       /* 16 */
    uint64_t boot;           /* 24 */
    uint32_t state;          /* 32 */
    uint32_t epoch;          /* 36 */
    uint32_t object_count;   /* 40 */
    uint32_t process_id;     /* 44 */
    uint64_t dropped;        /* 48 */
    uint64_t structure;      /* 56 */
    uint64_t entered;        /* 64 */
    uint64_t left;           /* 72 */
    uint64_t dropped_before; /* 80 */
    uint64_t reserved_88[5]; /* 88 */
} prfdata_region_header;

/* The slot counts of one object. The header is followed by one such structure per object. */
typedef struct prfdata_region_count {
    uint32_t slot_count; /* 0 */
    uint32_t used_count; /* 4 */
} prfdata_region_count;

typedef struct prfdata_region_slot {
    uint32_t tag;             /*  0 */
    uint32_t flags;           /*  4 */
    uint32_t identity;        /*  8 */
    uint32_t parent_slot;     /* 12 */
    uint32_t parent_identity; /* 16 */
    int32_t unique_id;        /* 20 */
    uint32_t name_chars;      /* 24 */
    uint32_t reserved_28;     /* 28 */
    uint64_t freed;           /* 32 */
    uint64_t entered;         /* 40 */
    uint64_t left;            /* 48 */
    uint64_t reserved_56;     /* 56 */
} prfdata_region_slot;

#define PRFDATA_REGION_OFFSET(type, field, offset)                                                 \
    static_assert(offsetof(type, field) == (offset), "region-format.md: offset of " #field)
static_assert(sizeof(prfdata_region_header) == 128, "region-format.md: header");
PRFDATA_REGION_OFFSET(prfdata_region_header, map_hash, 16);
PRFDATA_REGION_OFFSET(prfdata_region_header, state, 32);
PRFDATA_REGION_OFFSET(prfdata_region_header, dropped, 48);
PRFDATA_REGION_OFFSET(prfdata_region_header, structure, 56);
PRFDATA_REGION_OFFSET(prfdata_region_header, entered, 64);
PRFDATA_REGION_OFFSET(prfdata_region_header, dropped_before, 80);
static_assert(sizeof(prfdata_region_count) == 8, "region-format.md: slot counts");
static_assert(sizeof(prfdata_region_slot) == PRFDATA_REGION_LINE, "region-format.md: slot");
PRFDATA_REGION_OFFSET(prfdata_region_slot, unique_id, 20);
PRFDATA_REGION_OFFSET(prfdata_region_slot, freed, 32);
PRFDATA_REGION_OFFSET(prfdata_region_slot, entered, 40);

/*
 * The number of instances that the current writer dropped. It is 0 if `dropped_before` is larger
 * than `dropped`, because then the header is damaged.
 */
static inline uint64_t prfdata_region_own_dropped(const prfdata_region_header *header)
{
    const uint64_t dropped = prfdata_load64_relaxed(&header->dropped);
    const uint64_t before = prfdata_load64_relaxed(&header->dropped_before);

    return dropped > before ? dropped - before : 0;
}

/* ---- Layout: computed from the model and the slot counts, never from the bytes ---- */

typedef struct prfdata_region_section {
    uint32_t slot_count;  /* 1 without instances */
    uint32_t name_stride; /* bytes; 0 without instances */
    uint32_t cell_stride; /* bytes */
    /* Words of a slot in each lane; 0: no hot counter, so there are no lanes. */
    uint32_t lane_words;
    uint64_t count_offset; /* offset of the object's prfdata_region_count */
    /* Offsets in the file. Without instances, slots, names and baselines are empty. */
    uint64_t slots_offset;
    uint64_t names_offset;
    uint64_t baselines_offset;
    uint64_t cells_offset;
    uint64_t lanes_offset;
    uint32_t distributions_stride; /* bytes that the distributions of one slot take */
    uint64_t distributions_offset;
} prfdata_region_section;

typedef struct prfdata_region_layout {
    uint64_t total_bytes;
    uint32_t object_count;
    prfdata_region_section sections[1]; /* object_count elements */
} prfdata_region_layout;

/*
 * Compute the layout for a model.
 *
 * slot_counts  One per object of the model, or NULL for the map's capacities.
 * layout       On success the new layout; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (a slot count breaks R7) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; free().
 */
uint32_t prfdata_region_layout_make(const prfdata_model *model, const uint32_t *slot_counts,
                                    prfdata_region_layout **layout);

/* ---- Validity ---- */

typedef enum prfdata_region_verdict {
    PRFDATA_REGION_VALID,
    PRFDATA_REGION_UNFINISHED,    /* R1 (no header), R2 or R9 (state 0) is broken */
    PRFDATA_REGION_OTHER_VERSION, /* R3, R4 */
    PRFDATA_REGION_OTHER_MAP,     /* R5 */
    PRFDATA_REGION_DAMAGED,       /* R1 (no slot counts), R6, R7, R8 or R9 (state > 3) is broken */
    PRFDATA_REGION_OTHER_BOOT,    /* R10 is broken, and no other rule */
    PRFDATA_REGION_NO_MEMORY      /* not checked: memory is exhausted */
} prfdata_region_verdict;

/*
 * Copy the header, beginning with the state. A writer stores the other fields before it changes the
 * state from BUILDING to another state. Therefore a region that is being published never looks like
 * a region of another map.
 *
 * size  The size of the open file.
 *
 * Returns false, and loads nothing, if the file is too short for a header (R1).
 */
bool prfdata_region_load_header(const uint8_t *bytes, uint64_t size, prfdata_region_header *header);

/*
 * Check R1 to R10.
 *
 * size    The size of the open file.
 * header  The header from prfdata_region_load_header(); it is not loaded again.
 * layout  On VALID and OTHER_BOOT the region's layout (free()); otherwise untouched.
 */
prfdata_region_verdict prfdata_region_check_loaded(const prfdata_region_header *header,
                                                   const uint8_t *bytes, uint64_t size,
                                                   const prfdata_model *model, uint64_t boot,
                                                   prfdata_region_layout **layout);

/*
 * Load the header and check R1 to R10.
 *
 * header  Gets the copy that was checked; untouched if the file is too short for a header.
 */
prfdata_region_verdict prfdata_region_check(const uint8_t *bytes, uint64_t size,
                                            const prfdata_model *model, uint64_t boot,
                                            prfdata_region_header *header,
                                            prfdata_region_layout **layout);

/* ---- Access ---- */

/* Copy 8-aligned shared bytes word by word; `size` is a multiple of 8. */
void prfdata_region_load(void *private_bytes, const void *shared_bytes, size_t size);

/*
 * The bytes that the cells and baselines of `count` slots take in a converted copy.
 *
 * object  The object in the map to which the copy is converted.
 */
static inline uint64_t prfdata_region_copy_bytes(const prfdata_model_object *object, uint32_t count)
{
    const uint32_t parts = object->has_instances ? 2 : 1;

    return (uint64_t)parts * count * object->stored_count * sizeof(uint64_t);
}

/*
 * How many slots were ever used. These are the first slots of the object. The result never exceeds
 * the number of slots, whatever the file says.
 */
static inline uint32_t prfdata_region_used_count(const uint8_t *bytes,
                                                 const prfdata_region_section *section)
{
    const prfdata_region_count *count = (const void *)(bytes + section->count_offset);
    uint32_t used = prfdata_load32_acquire(&count->used_count);

    return used < section->slot_count ? used : section->slot_count;
}

static inline prfdata_region_slot *
prfdata_region_slot_at(uint8_t *bytes, const prfdata_region_section *section, uint32_t slot_index)
{
    return (prfdata_region_slot *)(void *)(bytes + section->slots_offset) + slot_index;
}

static inline void *prfdata_region_name_at(uint8_t *bytes, const prfdata_region_section *section,
                                           uint32_t slot_index)
{
    return bytes + section->names_offset + (uint64_t)section->name_stride * slot_index;
}

static inline uint64_t *prfdata_region_baselines_at(uint8_t *bytes,
                                                    const prfdata_region_section *section,
                                                    uint32_t slot_index)
{
    return (uint64_t *)(void *)(bytes + section->baselines_offset +
                                (uint64_t)section->cell_stride * slot_index);
}

static inline uint64_t *
prfdata_region_cells_at(uint8_t *bytes, const prfdata_region_section *section, uint32_t slot_index)
{
    return (uint64_t *)(void *)(bytes + section->cells_offset +
                                (uint64_t)section->cell_stride * slot_index);
}

/* Lane 0 of a hot counter; the other lanes follow at distances of PRFDATA_LANES_STRIDE bytes. */
static inline uint64_t *prfdata_region_lanes_at(uint8_t *bytes,
                                                const prfdata_region_section *section,
                                                uint32_t slot_index, uint32_t hot_index)
{
    return (uint64_t *)(void *)(bytes + section->lanes_offset +
                                prfdata_lanes_offset((uint64_t)section->lane_words * slot_index +
                                                     hot_index));
}

static inline uint64_t *prfdata_region_distributions_at(uint8_t *bytes,
                                                        const prfdata_region_section *section,
                                                        uint32_t slot_index)
{
    return (uint64_t *)(void *)(bytes + section->distributions_offset +
                                (uint64_t)section->distributions_stride * slot_index);
}

static inline uint64_t *
prfdata_region_distribution_at(uint8_t *bytes, const prfdata_region_section *section,
                               uint32_t slot_index, const prfdata_model_distribution *distribution)
{
    return prfdata_region_distributions_at(bytes, section, slot_index) +
           distribution->bytes_offset / sizeof(uint64_t);
}

/*
 * Copy the cells of a slot, and add the lanes of the hot counters to their cells.
 * cells  Memory for the section's cell stride.
 */
void prfdata_region_load_cells(uint64_t *cells, uint8_t *bytes, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index);

/*
 * Whether no structure change is in progress. Always false for a region whose writer does not
 * maintain the structure word.
 */
static inline bool prfdata_region_is_at_rest(uint64_t structure)
{
    return structure != 0 && structure % 2 == 0;
}

/*
 * ---- The writer's steps: the caller owns the region and makes one call at a time ----
 *
 * The structure word is odd while a call changes the region, and even when the call returns.
 */

/* C2 and C3: publish a region. Its `layout->total_bytes` bytes are 0, except those that
 * prfdata_former_copy() has filled. */
void prfdata_region_format(uint8_t *bytes, const prfdata_model *model,
                           const prfdata_region_layout *layout, uint64_t boot, uint32_t process_id);

/*
 * T1 to T5: take over a region.
 * freed   The highest `freed` of the region's slots so far; updated.
 * is_own  Whether this process had closed the region. If so, skips T3, because threads of this
 *         process may be inside brackets, and will leave them.
 */
void prfdata_region_take_over(uint8_t *bytes, const prfdata_model *model,
                              const prfdata_region_layout *layout, uint32_t process_id,
                              uint64_t *freed, bool is_own);

/* Hide the instances of a region whose program still runs (PRFDATA_REGION_CLOSED). */
void prfdata_region_hide(uint8_t *bytes);

typedef struct prfdata_region_key {
    const uint16_t *name; /* NULL: the instance has a number, `unique_id`, in place of a name */
    uint32_t name_chars;
    int32_t unique_id;
    uint32_t parent_slot; /* PRFDATA_NONE: no parent */
    uint32_t parent_identity;
} prfdata_region_key;

/*
 * The hash of the name or number, and of the parent. Names that differ only in case have the same
 * hash.
 */
uint64_t prfdata_region_key_hash(const prfdata_region_key *key, uint64_t seed);

/* Whether two keys of one region are the same, ignoring the case of names. */
bool prfdata_region_keys_equal(const prfdata_region_key *a, const prfdata_region_key *b);

/* A0 to A3: give a slot to another instance. Returns the new generation. */
uint32_t prfdata_region_slot_assign(uint8_t *bytes, const prfdata_model_object *object,
                                    const prfdata_region_section *section, uint32_t slot_index,
                                    const prfdata_region_key *key);

/* V1, V2: make a dormant slot live again. Returns the new generation. */
uint32_t prfdata_region_slot_revive(uint8_t *bytes, const prfdata_model_object *object,
                                    const prfdata_region_section *section, uint32_t slot_index);

/* D1, D2: make a live slot dormant. */
void prfdata_region_slot_retire(uint8_t *bytes, const prfdata_region_section *section,
                                uint32_t slot_index, uint64_t freed);

#endif
