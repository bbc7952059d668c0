# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += doc/iotrace-audit.1
dist_man_MANS += doc/iocc.1 doc/iocxx.1
dist_man_MANS += doc/iotrace-cat.1 doc/iotrace-format.5
