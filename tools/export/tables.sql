-- SPDX-License-Identifier: BSD-3-Clause
-- The tables of --to=sqlite.  iotrace-export(1) explains them.
-- Times are in ns, sizes and offsets in bytes.  0 and 1 take no room in a row, and NULL none.

CREATE TABLE runs(id INTEGER PRIMARY KEY, name TEXT, started INT, ended INT, command TEXT);
CREATE TABLE logs(id INTEGER PRIMARY KEY, run_id INT, file, host TEXT, boot TEXT, pid INT,
	rank INT, program, started INT, ended INT, lost INT, UNIQUE(host, boot, pid, started, program));
-- The logs themselves, as iotrace-pack makes them: piece 0 begins a log, those behind it go on.
CREATE TABLE kept(id INTEGER PRIMARY KEY, run_id INT, name, piece INT, bytes BLOB);
CREATE TABLE devices(run_id INT, host TEXT, dev INT, filesystem TEXT, type INT, block_size INT,
	PRIMARY KEY(run_id, host, dev)) WITHOUT ROWID;

-- Who: rows of iotrace-stat's tables of the same names.
CREATE TABLE ranks(id INTEGER PRIMARY KEY, run_id INT, rank INT, program, host TEXT);
CREATE TABLE processes(id INTEGER PRIMARY KEY, run_id INT, log_id INT, rank_id INT, parent_id INT,
	pid INT, parent_pid INT, program, host TEXT, started INT, elapsed INT, lived INT);
CREATE TABLE threads(id INTEGER PRIMARY KEY, run_id INT, process_id INT, tid INT, lived INT);

-- What: a file is one, whatever names it was reached by.  A name has a number: that of the file of which it is the first,
-- or one that no file has.
CREATE TABLE files(id INTEGER PRIMARY KEY, run_id INT, path, host TEXT, dev INT, inode INT,
	mode INT, names INT, place INT); -- place: in iotrace-stat's list, from 0 on
CREATE TABLE other_names(id INTEGER PRIMARY KEY, file_id INT, path);
CREATE TABLE kinds(id INTEGER PRIMARY KEY, call TEXT, family TEXT, syscall TEXT, counts_as TEXT,
	collective INT); -- of MPI: all ranks of a communicator call it

-- Where: stacks, the line that they count for, and their frames from the innermost on: an array of numbers.
CREATE TABLE sites(id INTEGER PRIMARY KEY, run_id INT, site);
CREATE TABLE stacks(id INTEGER PRIMARY KEY, site_id INT, frames TEXT);
CREATE TABLE frames(id INTEGER PRIMARY KEY, function, file, line INT, module, module_offset INT,
	language TEXT, inlined INT);

-- What calls have in common that one line makes, on whatever file: a call has the number of that.
CREATE TABLE contexts(id INTEGER PRIMARY KEY, thread_id INT, kind_id INT, stack_id INT, fd INT,
	to_name_id INT, -- what a copy writes; of munmap and its like, whose memory it is
	status TEXT, errno TEXT,
	how INT, -- what follows: a bit each, and behind these what kind of time it is
	syscall INT GENERATED ALWAYS AS (how & 1) VIRTUAL,
	failed INT GENERATED ALWAYS AS (how >> 1 & 1) VIRTUAL,
	inferred INT GENERATED ALWAYS AS (how >> 2 & 1) VIRTUAL,
	internal INT GENERATED ALWAYS AS (how >> 3 & 1) VIRTUAL,
	mpi_own INT GENERATED ALWAYS AS (how >> 4 & 1) VIRTUAL,
	opened INT GENERATED ALWAYS AS (how >> 5 & 1) VIRTUAL,
	reads INT GENERATED ALWAYS AS (how >> 6 & 1) VIRTUAL, -- whether its bytes are these
	writes INT GENERATED ALWAYS AS (how >> 7 & 1) VIRTUAL,
	lib_reads INT GENERATED ALWAYS AS (how >> 8 & 1) VIRTUAL,
	lib_writes INT GENERATED ALWAYS AS (how >> 9 & 1) VIRTUAL,
	spent TEXT GENERATED ALWAYS AS (CASE how >> 10 & 7 WHEN 1 THEN 'moving' WHEN 2 THEN 'metadata'
		WHEN 3 THEN 'syncing' WHEN 4 THEN 'waiting' WHEN 5 THEN 'memory' END) VIRTUAL,
	unseen INT GENERATED ALWAYS AS (how >> 13 & 1) VIRTUAL); -- the kernel moved bytes without a call of its own
CREATE TABLE args(id INTEGER PRIMARY KEY, json TEXT);

-- start: since the run was started.  inside: of dur, what calls inside took; all of it if the call
-- has not come back.  below: of moved, what calls inside moved above system calls.
CREATE TABLE calls(id INTEGER PRIMARY KEY, parent_id INT, context_id INT, name_id INT, start INT, dur INT,
	inside INT, moved INT, below INT, offset INT,
	short INT, -- size without moved
	more INT,  -- ret without moved
	args_id INT,
	self INT GENERATED ALWAYS AS (coalesce(dur - inside, 0)) VIRTUAL,
	size INT GENERATED ALWAYS AS (short + moved) VIRTUAL,
	ret INT GENERATED ALWAYS AS (more + moved) VIRTUAL);
-- When: calls by their numbers, first to last, were in progress between these moments at most, and their greatest
-- dur and size.
CREATE TABLE spans(first INTEGER PRIMARY KEY, last INT, run_id INT, started INT, ended INT, longest INT, largest INT);
-- Where: the spans that have calls of a context, or that name a file so.
CREATE TABLE context_spans(context_id INT, first INT, PRIMARY KEY(context_id, first)) WITHOUT ROWID;
CREATE TABLE name_spans(name_id INT, first INT, PRIMARY KEY(name_id, first)) WITHOUT ROWID;
CREATE TABLE intervals(run_id INT, start INT, length INT, calls INT, read INT, written INT, io INT,
	waiting INT, lived INT, fetched INT, dirtied INT, PRIMARY KEY(run_id, start)) WITHOUT ROWID;

-- Operations that begin in one call and end in another.
CREATE TABLE operations(process_id INT, family TEXT, number INT, begin_id INT, end_id INT,
	PRIMARY KEY(process_id, family, number)) WITHOUT ROWID;

CREATE TABLE findings(id INTEGER PRIMARY KEY, run_id INT, rule TEXT, severity TEXT, name, call TEXT,
	count INT, of INT, bytes INT, time INT, calls INT, files INT, saves_least INT,
	saves_most INT, pid INT, tid INT, title TEXT, text, remedy TEXT);
-- The lines that led to its calls, from the innermost on; look: at this one.
CREATE TABLE finding_lines(finding_id INT, level INT, look INT, function, file, line INT, module,
	module_offset INT, PRIMARY KEY(finding_id, level)) WITHOUT ROWID;

-- iotrace-stat --by=all --format=json of the run, for iotrace-report --serve.
CREATE TABLE stats(run_id INTEGER PRIMARY KEY, json TEXT);
