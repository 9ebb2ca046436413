/* SPDX-License-Identifier: BSD-3-Clause
 *
 * section: arrays that mpi_f08 passes by descriptor (MPI 5.0 section 19.1.2, Fortran 2018 section 18.5). A section is
 * for MPI the sequence of its elements in Fortran's order. One without gaps is passed as it is. With gaps, a message
 * gets a datatype with the section's strides; a blocking function that uses a buffer in another way gets a copy.
 * A nonblocking function keeps the copy in a list, by its request, until a function of Fortran sees the request
 * complete. That of a persistent one stays until the request is freed; each start fills it again.
 */
#include "fortran/fortran.h"

#include <pthread.h>
#include <string.h>

static CFI_index_t elements_of(const CFI_cdesc_t *d)
{
    CFI_index_t n = 1;
    for (int i = 0; i < d->rank; i++)
        n *= d->dim[i].extent;
    return n;
}

bool hws_is_contiguous(const CFI_cdesc_t *d)
{
    CFI_index_t step = (CFI_index_t)d->elem_len;
    for (int i = 0; i < d->rank; i++) {
        if (d->dim[i].extent < 0) /* assumed size: only the last dimension can be */
            return d->dim[i].sm == step;
        if (d->dim[i].extent > 1 && d->dim[i].sm != step)
            return elements_of(d) == 0;
        step *= d->dim[i].extent;
    }
    return true;
}

/* The type of the first n elements over the dimensions below `rank`. Each dimension is a vector of what is below it; a
 * last, incomplete one follows behind. */
static int first_elements(const CFI_cdesc_t *d, int rank, CFI_index_t n, MPI_Datatype element, MPI_Datatype *out)
{
    if (rank == 0)
        return PMPI_Type_dup(element, out);
    MPI_Count below = 1;
    for (int i = 0; i < rank - 1; i++)
        below *= d->dim[i].extent;
    MPI_Count whole = n / below, rest = n % below, lengths[2] = {1, 1}, places[2] = {0, whole * d->dim[rank - 1].sm};
    MPI_Datatype row = MPI_DATATYPE_NULL, parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
    int rc = first_elements(d, rank - 1, whole ? below : 0, element, &row);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Type_create_hvector_c(whole, 1, d->dim[rank - 1].sm, row, rest ? &parts[0] : out);
    if (rc == MPI_SUCCESS && rest)
        rc = first_elements(d, rank - 1, rest, element, &parts[1]);
    if (rc == MPI_SUCCESS && rest)
        rc = PMPI_Type_create_struct_c(2, lengths, places, parts, out);
    if (row != MPI_DATATYPE_NULL)
        PMPI_Type_free(&row);
    for (int i = 0; i < 2; i++)
        if (parts[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&parts[i]);
    return rc;
}

/* The type of an element of the section, and how many of them `count` of the user's type are; fails if they are no
 * whole number, or if the user's type has gaps of its own. */
static bool element_type(const CFI_cdesc_t *d, MPI_Count count, MPI_Datatype type, MPI_Datatype *element, MPI_Count *n)
{
    MPI_Count size, lb, extent, elem = (MPI_Count)d->elem_len;
    if (PMPI_Type_size_c(type, &size) != MPI_SUCCESS || PMPI_Type_get_extent_c(type, &lb, &extent) != MPI_SUCCESS) {
        hws_trouble(MPI_ERR_TYPE, "the datatype of a section is not valid");
        return false;
    }
    if (lb != 0 || extent != size || elem == 0 || (count * size) % elem != 0) {
        hws_trouble(MPI_ERR_TYPE,
                    "elements of a section that is not contiguous have %lld bytes, which the datatype does not fill",
                    (long long)elem);
        return false;
    }
    *n = count * size / elem;
    if (size == elem)
        return PMPI_Type_dup(type, element) == MPI_SUCCESS;
    if (size > 0 && elem % size == 0)
        return PMPI_Type_contiguous_c(elem / size, type, element) == MPI_SUCCESS;
    return PMPI_Type_contiguous_c(elem, MPI_BYTE, element) == MPI_SUCCESS;
}

struct hws_section hws_strided_message(const CFI_cdesc_t *d, MPI_Count count, MPI_Datatype type)
{
    struct hws_section s = {.addr = d->base_addr, .count = 1, .type = MPI_DATATYPE_NULL};
    MPI_Datatype element = MPI_DATATYPE_NULL;
    MPI_Count n;
    if (count <= 0 || type == MPI_DATATYPE_NULL) /* nothing, or an error that the called function reports */
        return (struct hws_section){.addr = d->base_addr, .count = count, .type = type, .made = true};
    if (!element_type(d, count, type, &element, &n))
        return s;
    if (n > elements_of(d))
        hws_trouble(MPI_ERR_COUNT, "a count of %lld elements is more than the section's %lld", (long long)n,
                    (long long)elements_of(d));
    else if (first_elements(d, d->rank, n, element, &s.type) == MPI_SUCCESS) {
        s.own_type = true;
        s.made = PMPI_Type_commit(&s.type) == MPI_SUCCESS;
    }
    PMPI_Type_free(&element);
    return s;
}

struct hws_section hws_contiguous(const CFI_cdesc_t *d)
{
    struct hws_section s = {.addr = hws_choice(d->base_addr), .made = d->rank == 0 || hws_is_contiguous(d)};
    if (!s.made)
        hws_trouble(MPI_ERR_BUFFER, "a section that is not contiguous cannot be used here");
    return s;
}

/* Copies all elements between the section and contiguous memory. */
static void copy(const CFI_cdesc_t *d, char *packed, bool back)
{
    CFI_index_t at[CFI_MAX_RANK] = {0}, left = elements_of(d);
    char *place = d->base_addr;
    for (; left > 0; left--, packed += d->elem_len) {
        if (back)
            memcpy(place, packed, d->elem_len);
        else
            memcpy(packed, place, d->elem_len);
        for (int i = 0; i < d->rank; i++) {
            place += d->dim[i].sm;
            if (++at[i] < d->dim[i].extent)
                break;
            place -= d->dim[i].sm * at[i];
            at[i] = 0;
        }
    }
}

struct hws_section hws_strided_whole(const CFI_cdesc_t *d, bool back)
{
    struct hws_section s = {.addr = malloc((size_t)elements_of(d) * d->elem_len), .back = back ? d : NULL};
    if (s.addr) {
        copy(d, s.addr, false);
        s.made = s.own_copy = true;
    }
    return s;
}

/* ---- copies that requests keep */
struct hws_late {
    hws_integer request;
    char *packed;
    bool back;
    enum hws_lasting lasting;
    bool started; /* and its end not seen */
    struct hws_late *next;
    CFI_cdesc_t *d; /* the caller's is gone when the request completes */
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hws_late *lates;
int hws_n_late;

struct hws_section hws_strided_late(const CFI_cdesc_t *d, bool back)
{
    struct hws_section s = hws_strided_whole(d, back);
    size_t bytes = sizeof *d + (size_t)d->rank * sizeof d->dim[0];
    struct hws_late *late = s.made ? malloc(sizeof *late) : NULL;
    CFI_cdesc_t *own = late ? malloc(bytes) : NULL;
    s.back = NULL; /* the call fails, or the list has it */
    s.made = own != NULL;
    if (own) {
        memcpy(own, d, bytes);
        *late = (struct hws_late){.packed = s.addr, .back = back, .d = own};
        s.late = late;
    } else {
        free(late);
    }
    return s;
}

void hws_section_keep(struct hws_section *s, hws_integer request, enum hws_lasting lasting)
{
    pthread_mutex_lock(&lock);
    s->late->request = request;
    s->late->lasting = lasting;
    s->late->started = lasting == HWS_ONCE;
    s->late->next = lates;
    lates = s->late;
    __atomic_add_fetch(&hws_n_late, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    s->own_copy = false;
    s->late = NULL;
}

void hws_late_start_kept(const hws_integer *requests, MPI_Count n)
{
    pthread_mutex_lock(&lock);
    for (struct hws_late *late = lates; late; late = late->next) {
        for (MPI_Count i = 0; i < n; i++) {
            if (late->request != requests[i] || late->started)
                continue;
            copy(late->d, late->packed, false);
            late->started = true;
        }
    }
    pthread_mutex_unlock(&lock);
}

static bool is_started(hws_integer request)
{
    pthread_mutex_lock(&lock);
    const struct hws_late *late = lates;
    while (late && !(late->request == request && late->lasting == HWS_PERSISTENT && late->started))
        late = late->next;
    pthread_mutex_unlock(&lock);
    return late != NULL;
}

/* A persistent request that is complete and not yet waited for counts, too: its result is there. Asked without the
 * lock, as it makes progress. */
static bool is_complete(hws_integer request, MPI_Request is)
{
    int flag = 0;
    if (is == MPI_REQUEST_NULL)
        return true;
    return is_started(request) && PMPI_Request_get_status(is, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag;
}

void hws_late_complete(hws_integer request, MPI_Request is)
{
    bool complete = is_complete(request, is);
    pthread_mutex_lock(&lock);
    for (struct hws_late **at = &lates; *at;) {
        struct hws_late *late = *at;
        if (late->request != request || !complete) {
            at = &late->next;
            continue;
        }
        if (late->started) { /* a persistent one may have ended earlier */
            late->started = false;
            if (late->back)
                copy(late->d, late->packed, true);
        }
        if (is != MPI_REQUEST_NULL) {
            at = &late->next;
            continue;
        }
        *at = late->next;
        free(late->packed);
        free(late->d);
        free(late);
        __atomic_sub_fetch(&hws_n_late, 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
}

void hws_section_release(struct hws_section *s)
{
    if (s->late)
        free(s->late->d);
    free(s->late);
    if (s->own_type)
        PMPI_Type_free(&s->type);
    if (s->own_copy && s->back)
        copy(s->back, s->addr, true);
    if (s->own_copy)
        free(s->addr);
}
