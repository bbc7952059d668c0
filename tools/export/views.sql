-- SPDX-License-Identifier: BSD-3-Clause
-- Indices and views of --to=sqlite, made when the tables are full.  Sums are iotrace-stat's.
-- An index of calls takes 6 to 12 bytes a call.  Sums read all calls, and are as fast without; spans tell where
-- calls of a context, or of a name, are.

CREATE INDEX calls_by_parent ON calls(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX other_names_by_file ON other_names(file_id);

CREATE VIEW names AS SELECT id, id AS file_id, path FROM files UNION ALL SELECT id, file_id, path FROM other_names;

CREATE VIEW stack_frames AS SELECT s.id AS stack_id, f.key AS level, f.value AS frame_id FROM stacks s, json_each(s.frames) f;

-- Every call in words.  What a query does not ask for costs it nothing.
CREATE VIEW trace AS SELECT
	c.id, c.parent_id, t.run_id, r.started + c.start AS start, c.start AS since, c.dur, c.self,
	p.host, p.pid, t.tid, k.rank, p.program, i.family, i.call, i.syscall, x.internal, x.mpi_own,
	x.fd, coalesce(n.path, f.path) AS path, f.path AS file, s.site, c.offset, c.size, c.ret, x.errno, x.status, a.json AS args,
	c.moved, c.moved * x.reads AS read, c.moved * x.writes AS written,
	(c.moved - c.below) * x.lib_reads AS lib_read, (c.moved - c.below) * x.lib_writes AS lib_written,
	x.spent, x.failed, i.counts_as, f.id AS file_id, m.site_id, t.process_id, x.thread_id, p.rank_id,
	x.stack_id, c.context_id
FROM calls c
	LEFT JOIN contexts x ON x.id = c.context_id
	LEFT JOIN kinds i ON i.id = x.kind_id
	LEFT JOIN other_names n ON n.id = c.name_id
	LEFT JOIN files f ON f.id = coalesce(n.file_id, c.name_id)
	LEFT JOIN stacks m ON m.id = x.stack_id
	LEFT JOIN sites s ON s.id = m.site_id
	LEFT JOIN threads t ON t.id = x.thread_id
	LEFT JOIN processes p ON p.id = t.process_id
	LEFT JOIN ranks k ON k.id = p.rank_id
	LEFT JOIN runs r ON r.id = t.run_id
	LEFT JOIN args a ON a.id = c.args_id;

-- Calls are many, contexts few: sums by context and name first, from which all others are made.
CREATE VIEW sums AS SELECT
	x.*, s.name_id AS name_id,
	s.n * (1 - x.inferred) AS calls, s.n * x.syscall * (1 - x.unseen) AS syscalls, s.n * x.failed AS errors,
	s.n * x.reads * x.syscall AS read_calls, s.n * x.writes * x.syscall AS write_calls,
	s.moved AS moved, s.moved * x.reads AS read, s.moved * x.writes AS written,
	(s.moved - s.below) * x.lib_reads AS lib_read, (s.moved - s.below) * x.lib_writes AS lib_written,
	CASE WHEN x.status IS NULL THEN s.dur ELSE 0 END AS time, s.self AS self,
	CASE WHEN x.status IS NULL THEN s.most ELSE 0 END AS max,
	CASE WHEN x.spent IN ('moving', 'metadata', 'syncing') THEN s.self ELSE 0 END AS io,
	CASE WHEN x.spent = 'moving' THEN s.self ELSE 0 END AS moving,
	CASE WHEN x.spent = 'metadata' THEN s.self ELSE 0 END AS metadata,
	CASE WHEN x.spent = 'syncing' THEN s.self ELSE 0 END AS syncing,
	CASE WHEN x.spent = 'waiting' THEN s.self ELSE 0 END AS waiting,
	CASE WHEN x.spent = 'memory' THEN s.self ELSE 0 END AS memory
FROM (SELECT context_id, name_id, count(*) AS n, sum(moved) AS moved, sum(below) AS below, sum(dur) AS dur,
		sum(self) AS self, max(dur) AS most FROM calls GROUP BY context_id, name_id) s
	JOIN contexts x ON x.id = s.context_id;

CREATE VIEW by_call AS SELECT t.run_id, k.counts_as AS call, k.family,
	sum(calls) AS calls, sum(syscalls) AS syscalls, sum(errors) AS errors, sum(moved) AS moved,
	sum(s.time) AS time, sum(self) AS self, max(max) AS max, SPENT
FROM sums s JOIN kinds k ON k.id = s.kind_id JOIN threads t ON t.id = s.thread_id
GROUP BY t.run_id, k.counts_as;

-- What a copy writes it writes to another file than the one that it is on.
CREATE VIEW by_file AS SELECT t.run_id, coalesce(f.path, '(no file)') AS path, f.id AS file_id, COMMON
FROM (SELECT thread_id, CASE WHEN reads AND writes THEN name_id ELSE coalesce(name_id, to_name_id) END AS name_id,
		calls, syscalls, errors, read_calls,
		CASE WHEN reads AND writes THEN 0 ELSE write_calls END AS write_calls, read,
		CASE WHEN reads AND writes THEN 0 ELSE written END AS written,
		lib_read, lib_written, self, max, io, moving, metadata, syncing, waiting, memory FROM sums
	UNION ALL SELECT thread_id, to_name_id, 0, 0, 0, 0, write_calls, 0, written,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM sums WHERE reads AND writes) s
	JOIN threads t ON t.id = s.thread_id
	LEFT JOIN other_names n ON n.id = s.name_id LEFT JOIN files f ON f.id = coalesce(n.file_id, s.name_id)
GROUP BY t.run_id, f.id;

CREATE VIEW by_site AS SELECT t.run_id, coalesce(i.site, '(no stack)') AS site, i.id AS site_id, COMMON
FROM sums s JOIN threads t ON t.id = s.thread_id
	LEFT JOIN stacks m ON m.id = s.stack_id LEFT JOIN sites i ON i.id = m.site_id
GROUP BY t.run_id, i.id;

CREATE VIEW by_thread AS SELECT t.run_id, p.program, p.host, k.rank, p.pid, t.tid, t.id AS thread_id, COMMON, t.lived
FROM sums s JOIN threads t ON t.id = s.thread_id JOIN processes p ON p.id = t.process_id
	LEFT JOIN ranks k ON k.id = p.rank_id
GROUP BY t.id;

CREATE VIEW by_process AS SELECT t.run_id, p.program, p.host, k.rank, p.pid, p.parent_pid,
	p.id AS process_id, COMMON, p.elapsed, p.lived
FROM sums s JOIN threads t ON t.id = s.thread_id JOIN processes p ON p.id = t.process_id
	LEFT JOIN ranks k ON k.id = p.rank_id
GROUP BY p.id;

CREATE VIEW by_rank AS SELECT t.run_id, k.program, k.host, k.rank, COMMON
FROM sums s JOIN threads t ON t.id = s.thread_id JOIN processes p ON p.id = t.process_id
	JOIN ranks k ON k.id = p.rank_id
GROUP BY k.id;

CREATE VIEW by_second AS SELECT run_id, (start - (SELECT started FROM runs WHERE id = run_id)) / 1e9 AS second,
	length / 1e9 AS seconds, calls, read, written, io, waiting, lived, fetched, dirtied FROM intervals;

-- How long operations were on their way, from when the call began that issued each to the end of the one that ended it.
-- The record of a request is made when that call, which is around it, is back.
CREATE VIEW flights AS SELECT o.process_id, o.family, o.number, o.begin_id, o.end_id,
	coalesce(i.start, b.start) AS start, e.start + coalesce(e.dur, 0) - coalesce(i.start, b.start) AS time,
	b.size AS size, b.offset AS offset, coalesce(n.path, f.path) AS path
FROM operations o LEFT JOIN calls b ON b.id = o.begin_id LEFT JOIN calls e ON e.id = o.end_id
	LEFT JOIN other_names n ON n.id = b.name_id LEFT JOIN files f ON f.id = b.name_id
	LEFT JOIN contexts c ON c.id = b.context_id LEFT JOIN kinds k ON k.id = c.kind_id
	LEFT JOIN calls i ON i.id = b.parent_id AND k.call = 'request';
