/* SPDX-License-Identifier: BSD-3-Clause
 *
 * unsupported_list: the functions of the MPI 5.0 ABI that do not work yet, UNSUPPORTED(name, parameters) each; for
 * unsupported.c, which includes it once for the functions and once for their names. Who implements one takes its line
 * away.
 */

/* file I/O */
UNSUPPORTED(File_close, (MPI_File * fh))
UNSUPPORTED(File_delete, (const char *filename, MPI_Info info))
UNSUPPORTED(File_get_amode, (MPI_File fh, int *amode))
UNSUPPORTED(File_get_atomicity, (MPI_File fh, int *flag))
UNSUPPORTED(File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp))
UNSUPPORTED(File_get_group, (MPI_File fh, MPI_Group *group))
UNSUPPORTED(File_get_info, (MPI_File fh, MPI_Info *info_used))
UNSUPPORTED(File_get_position, (MPI_File fh, MPI_Offset *offset))
UNSUPPORTED(File_get_position_shared, (MPI_File fh, MPI_Offset *offset))
UNSUPPORTED(File_get_size, (MPI_File fh, MPI_Offset *size))
UNSUPPORTED(File_get_type_extent, (MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent))
UNSUPPORTED(File_get_type_extent_c, (MPI_File fh, MPI_Datatype datatype, MPI_Count *extent))
UNSUPPORTED(File_get_view, (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep))
UNSUPPORTED(File_iread, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_all, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_all_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_at,
            (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_at_c,
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_at_all,
            (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_at_all_c,
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iread_shared_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_all, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_all_c,
            (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_at,
            (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_at_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                               MPI_Request *request))
UNSUPPORTED(File_iwrite_at_all,
            (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_at_all_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                                   MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_shared, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_iwrite_shared_c,
            (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request))
UNSUPPORTED(File_open, (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh))
UNSUPPORTED(File_preallocate, (MPI_File fh, MPI_Offset size))
UNSUPPORTED(File_read, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_all, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_all_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_all_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_read_all_begin_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_at,
            (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_at_c,
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_at_all,
            (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_at_all_c,
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_read_at_all_begin_c,
            (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_ordered, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_ordered_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_ordered_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_read_ordered_begin_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status))
UNSUPPORTED(File_read_shared, (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_read_shared_c, (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_seek, (MPI_File fh, MPI_Offset offset, int whence))
UNSUPPORTED(File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence))
UNSUPPORTED(File_set_atomicity, (MPI_File fh, int flag))
UNSUPPORTED(File_set_info, (MPI_File fh, MPI_Info info))
UNSUPPORTED(File_set_size, (MPI_File fh, MPI_Offset size))
UNSUPPORTED(File_set_view, (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                            const char *datarep, MPI_Info info))
UNSUPPORTED(File_sync, (MPI_File fh))
UNSUPPORTED(File_write, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_all, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_all_c,
            (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_all_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_write_all_begin_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_at,
            (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_at_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
                              MPI_Status *status))
UNSUPPORTED(File_write_at_all,
            (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_at_all_c, (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_at_all_begin,
            (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_write_at_all_begin_c,
            (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_ordered, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_ordered_c,
            (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_ordered_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype))
UNSUPPORTED(File_write_ordered_begin_c, (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype))
UNSUPPORTED(File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status))
UNSUPPORTED(File_write_shared, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(File_write_shared_c,
            (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status))
UNSUPPORTED(Register_datarep, (const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                               MPI_Datarep_conversion_function *write_conversion_fn,
                               MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state))
UNSUPPORTED(Register_datarep_c, (const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn,
                                 MPI_Datarep_conversion_function_c *write_conversion_fn,
                                 MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state))

/* one-sided */
UNSUPPORTED(Accumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                         MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Accumulate_c,
            (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Compare_and_swap, (const void *origin_addr, const void *compare_addr, void *result_addr,
                               MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win))
UNSUPPORTED(Fetch_and_op, (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                           MPI_Aint target_disp, MPI_Op op, MPI_Win win))
UNSUPPORTED(Get, (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Get_c, (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Get_accumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                             int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                             int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Get_accumulate_c,
            (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr,
             MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
             MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win))
UNSUPPORTED(Put, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                  MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Put_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                    MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win))
UNSUPPORTED(Raccumulate, (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                          MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                          MPI_Request *request))
UNSUPPORTED(Raccumulate_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                            int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
                            MPI_Op op, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rget,
            (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp,
             int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rget_c, (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                     MPI_Request *request))
UNSUPPORTED(Rget_accumulate,
            (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
             int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count,
             MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rget_accumulate_c,
            (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr,
             MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
             MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rput,
            (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
             MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request))
UNSUPPORTED(Rput_c, (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
                     MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
                     MPI_Request *request))
UNSUPPORTED(Win_allocate, (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win))
UNSUPPORTED(Win_allocate_c,
            (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win))
UNSUPPORTED(Win_allocate_shared,
            (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win))
UNSUPPORTED(Win_allocate_shared_c,
            (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win))
UNSUPPORTED(Win_attach, (MPI_Win win, void *base, MPI_Aint size))
UNSUPPORTED(Win_complete, (MPI_Win win))
UNSUPPORTED(Win_create, (void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win))
UNSUPPORTED(Win_create_c, (void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win))
UNSUPPORTED(Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win))
UNSUPPORTED(Win_detach, (MPI_Win win, const void *base))
UNSUPPORTED(Win_fence, (int assert, MPI_Win win))
UNSUPPORTED(Win_flush, (int rank, MPI_Win win))
UNSUPPORTED(Win_flush_all, (MPI_Win win))
UNSUPPORTED(Win_flush_local, (int rank, MPI_Win win))
UNSUPPORTED(Win_flush_local_all, (MPI_Win win))
UNSUPPORTED(Win_free, (MPI_Win * win))
UNSUPPORTED(Win_get_group, (MPI_Win win, MPI_Group *group))
UNSUPPORTED(Win_get_info, (MPI_Win win, MPI_Info *info_used))
UNSUPPORTED(Win_lock, (int lock_type, int rank, int assert, MPI_Win win))
UNSUPPORTED(Win_lock_all, (int assert, MPI_Win win))
UNSUPPORTED(Win_post, (MPI_Group group, int assert, MPI_Win win))
UNSUPPORTED(Win_set_info, (MPI_Win win, MPI_Info info))
UNSUPPORTED(Win_shared_query, (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr))
UNSUPPORTED(Win_shared_query_c, (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr))
UNSUPPORTED(Win_start, (MPI_Group group, int assert, MPI_Win win))
UNSUPPORTED(Win_sync, (MPI_Win win))
UNSUPPORTED(Win_test, (MPI_Win win, int *flag))
UNSUPPORTED(Win_unlock, (int rank, MPI_Win win))
UNSUPPORTED(Win_unlock_all, (MPI_Win win))
UNSUPPORTED(Win_wait, (MPI_Win win))

/* process creation */
UNSUPPORTED(Close_port, (const char *port_name))
UNSUPPORTED(Comm_accept, (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_connect, (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm))
UNSUPPORTED(Comm_join, (int fd, MPI_Comm *intercomm))
UNSUPPORTED(Comm_spawn, (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                         MPI_Comm *intercomm, int array_of_errcodes[]))
UNSUPPORTED(Comm_spawn_multiple,
            (int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[],
             const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]))
UNSUPPORTED(Lookup_name, (const char *service_name, MPI_Info info, char *port_name))
UNSUPPORTED(Open_port, (MPI_Info info, char *port_name))
UNSUPPORTED(Publish_name, (const char *service_name, MPI_Info info, const char *port_name))
UNSUPPORTED(Unpublish_name, (const char *service_name, MPI_Info info, const char *port_name))
