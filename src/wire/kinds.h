/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kinds: the frames that belong to rooms above the engine, which only carries them (peer/kinds.h). Their rows are in
 * the table of wire/wire.h, where the column ROOM marks them; what is in their payload docs/wire.md says.
 */
#ifndef HWS_WIRE_KINDS_H
#define HWS_WIRE_KINDS_H

enum hws_room_frame {
    HWS_FRAME_LEFT = 14, /* core/comm: the sender, and those it speaks for, are through with these context ids */
    HWS_FRAME_TYPES
};

#define HWS_ROOM_PAYLOAD 8192u /* most bytes of payload of such a frame */

#endif
