# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += doc/iotrace-audit.1
