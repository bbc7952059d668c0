/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plugin.c - babeltrace2's plug-in "iotrace", whose source component class "logs" has what
 * iotrace-export --to=ctf writes, from the logs themselves: babeltrace2 LOGDIR.
 *
 * A component has one port, with one stream.  Each of its iterators reads the logs by itself: it
 * asks for calls until there are as many messages as babeltrace2 wants.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include <babeltrace2/babeltrace.h>

#include "../export/ctf.h"

/* As tools have it; glib, and so babeltrace2, does the same. */
void iot_no_memory(void)
{
	iot_say(NULL, "out of memory");
	abort();
}

/* ---- a component: which logs, and what events look like ---- */

struct component {
	const bt_value *inputs; /* names of logs and directories */
	bt_trace *trace;
	bt_stream *stream;
	bt_stream_class *class;
};

#define CHECKED(call)                                                                             \
	do {                                                                                      \
		if (call)                                                                         \
			iot_no_memory(); /* none of these calls fails for another reason */             \
	} while (0)

static void *there(void *made)
{
	if (!made)
		iot_no_memory();
	return made;
}

static bt_field_class *class_of_unsigned(bt_trace_class *t, uint64_t bits)
{
	bt_field_class *f = there(bt_field_class_integer_unsigned_create(t));

	bt_field_class_integer_set_field_value_range(f, bits);
	return f;
}

static bt_field_class *class_of_signed(bt_trace_class *t, uint64_t bits)
{
	bt_field_class *f = there(bt_field_class_integer_signed_create(t));

	bt_field_class_integer_set_field_value_range(f, bits);
	return f;
}

#define CLASS_u8(t) class_of_unsigned(t, 8)
#define CLASS_u32(t) class_of_unsigned(t, 32)
#define CLASS_u64(t) class_of_unsigned(t, 64)
#define CLASS_i32(t) class_of_signed(t, 32)
#define CLASS_i64(t) class_of_signed(t, 64)
#define CLASS_text(t) there(bt_field_class_string_create(t))

static void add_member(bt_field_class *fields, const char *name, bt_field_class *f)
{
	CHECKED(bt_field_class_structure_append_member(fields, name, f));
	bt_field_class_put_ref(f);
}

#define ADD_MEMBER(type, name) add_member(fields, #name, CLASS_##type(t));
#define CLASS_OF(what, FIELDS)                                                                    \
	static bt_field_class *class_of_##what(bt_trace_class *t)                                 \
	{                                                                                         \
		bt_field_class *fields = there(bt_field_class_structure_create(t));               \
                                                                                                  \
		FIELDS(ADD_MEMBER)                                                                \
		return fields;                                                                    \
	}
CLASS_OF(context, CTF_CONTEXT)
CLASS_OF(process, CTF_PROCESS)
CLASS_OF(thread, CTF_THREAD)
CLASS_OF(entry, CTF_ENTRY)
CLASS_OF(exit, CTF_EXIT)

static bt_clock_class *make_clock(bt_self_component *self)
{
	bt_clock_class *clock = there(bt_clock_class_create(self));

	CHECKED(bt_clock_class_set_name(clock, "realtime"));
	bt_clock_class_set_frequency(clock, 1000000000);
	bt_clock_class_set_origin_is_unix_epoch(clock, BT_TRUE);
	return clock;
}

static void make_stream(struct component *c, bt_self_component *self)
{
	bt_trace_class *t = there(bt_trace_class_create(self));
	bt_clock_class *clock = make_clock(self);
	bt_field_class *context = class_of_context(t);

	c->class = there(bt_stream_class_create(t));
	CHECKED(bt_stream_class_set_default_clock_class(c->class, clock));
	CHECKED(bt_stream_class_set_event_common_context_field_class(c->class, context));
	c->trace = there(bt_trace_create(t));
	CHECKED(bt_trace_set_name(c->trace, "iotrace"));
	CHECKED(bt_trace_set_environment_entry_string(c->trace, "tracer_name", "iotrace"));
	CHECKED(bt_trace_set_environment_entry_string(c->trace, "tracer_version", PACKAGE_VERSION));
	c->stream = there(bt_stream_create(c->class, c->trace));
	bt_field_class_put_ref(context);
	bt_clock_class_put_ref(clock);
	bt_trace_class_put_ref(t);
}

static bool are_names(const bt_value *inputs)
{
	uint64_t i, n;

	if (!inputs || !bt_value_is_array(inputs) || !(n = bt_value_array_get_length(inputs)))
		return false;
	for (i = 0; i < n; i++)
		if (!bt_value_is_string(bt_value_array_borrow_element_by_index_const(inputs, i)))
			return false;
	return true;
}

static bt_component_class_initialize_method_status begin_component(bt_self_component_source *source,
								   bt_self_component_source_configuration *config,
								   const bt_value *params, void *data)
{
	bt_self_component *self = bt_self_component_source_as_self_component(source);
	const bt_value *inputs = bt_value_map_borrow_entry_value_const(params, "inputs");
	struct component *c;

	(void)config;
	(void)data;
	if (!are_names(inputs)) {
		bt_current_thread_error_append_cause_from_component(self, __FILE__, __LINE__,
								    "the parameter inputs is no list of logs and directories");
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	iota_no_memory = iot_no_memory;
	c = there(calloc(1, sizeof(*c)));
	c->inputs = inputs;
	bt_value_get_ref(inputs);
	make_stream(c, self);
	bt_self_component_set_data(self, c);
	CHECKED(bt_self_component_source_add_output_port(source, "out", NULL, NULL));
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static void end_component(bt_self_component_source *source)
{
	struct component *c = bt_self_component_get_data(bt_self_component_source_as_self_component(source));

	bt_stream_put_ref(c->stream);
	bt_stream_class_put_ref(c->class);
	bt_trace_put_ref(c->trace);
	bt_value_put_ref(c->inputs);
	free(c);
}

/* ---- an iterator: the calls ---- */

struct iterator {
	bt_self_message_iterator *self;
	struct component *component;
	struct iotr_set *set;
	struct ctf ctf;
	bt_event_class **kinds; /* by struct ctf's number; each iterator meets them in its order */
	size_t n_kinds, kinds_cap;
	/* Messages that are made and were not asked for yet: from first on. */
	const bt_message **queue;
	size_t first, n, cap;
	bool ended;
};

static void add_kind(struct iterator *it, const char *of, const char *name, bt_field_class *fields)
{
	bt_event_class *kind = there(bt_event_class_create(it->component->class));
	char *whole;

	if (asprintf(&whole, "%s%s", of, name) < 0)
		iot_no_memory();
	CHECKED(bt_event_class_set_name(kind, whole));
	CHECKED(bt_event_class_set_payload_field_class(kind, fields));
	free(whole);
	bt_field_class_put_ref(fields);
	if (it->n_kinds == it->kinds_cap) {
		it->kinds_cap = it->kinds_cap ? it->kinds_cap * 2 : 64;
		it->kinds = there(reallocarray(it->kinds, it->kinds_cap, sizeof(bt_event_class *)));
	}
	it->kinds[it->n_kinds++] = kind;
}

static void queue_message(struct iterator *it, const bt_message *m)
{
	if (it->n == it->cap) {
		it->cap = it->cap ? it->cap * 2 : 64;
		it->queue = there(reallocarray(it->queue, it->cap, sizeof(const bt_message *)));
	}
	it->queue[it->n++] = there((void *)(uintptr_t)m);
}

#define SET_u8(f, v) bt_field_integer_unsigned_set_value(f, v)
#define SET_u32(f, v) bt_field_integer_unsigned_set_value(f, v)
#define SET_u64(f, v) bt_field_integer_unsigned_set_value(f, v)
#define SET_i32(f, v) bt_field_integer_signed_set_value(f, v)
#define SET_i64(f, v) bt_field_integer_signed_set_value(f, v)
#define SET_text(f, v) CHECKED(bt_field_string_set_value(f, v))
#define SET_MEMBER(type, name) SET_##type(bt_field_structure_borrow_member_field_by_index(f, i++), v->name);
#define SET_ALL(what, FIELDS)                                                                     \
	static void set_##what(bt_field *f, const struct ctf_##what *v)                           \
	{                                                                                         \
		uint64_t i = 0;                                                                   \
                                                                                                  \
		FIELDS(SET_MEMBER)                                                                \
	}
SET_ALL(context, CTF_CONTEXT)
SET_ALL(process, CTF_PROCESS)
SET_ALL(thread, CTF_THREAD)
SET_ALL(entry, CTF_ENTRY)
SET_ALL(exit, CTF_EXIT)

static void on_event(struct ctf *ctf, struct ctf_lane *l, uint64_t kind, const struct ctf_context *context,
		     const void *fields)
{
	struct iterator *it = ctf->user;
	bt_message *m = there(
		bt_message_event_create_with_default_clock_snapshot(it->self, it->kinds[kind], it->component->stream, l->last));
	bt_event *e = bt_message_event_borrow_event(m);
	bt_field *payload = bt_event_borrow_payload_field(e);

	set_context(bt_event_borrow_common_context_field(e), context);
	if (kind == CTF_IS_PROCESS)
		set_process(payload, fields);
	else if (kind == CTF_IS_THREAD)
		set_thread(payload, fields);
	else if (kind % 2 == 0)
		set_entry(payload, fields);
	else
		set_exit(payload, fields);
	queue_message(it, m);
}

static void define(struct ctf *ctf, uint64_t kind, const char *name)
{
	struct iterator *it = ctf->user;
	bt_trace_class *t = bt_stream_class_borrow_trace_class(it->component->class);

	(void)kind; /* as the next two parameters */
	add_kind(it, name, "_entry", class_of_entry(t));
	add_kind(it, name, "_exit", class_of_exit(t));
}

static void on_message(void *unused, enum iotr_severity severity, const char *file, const char *text)
{
	(void)unused;
	(void)severity;
	iot_say(file, "%s", text);
}

static void begin_events(struct iterator *it)
{
	bt_trace_class *t = bt_stream_class_borrow_trace_class(it->component->class);

	add_kind(it, "iotrace:", "process", class_of_process(t));
	add_kind(it, "iotrace:", "thread", class_of_thread(t));
	it->ctf = (struct ctf){.a = iota_new(0), .event = on_event, .define = define, .user = it};
	iot_ctf_begin(&it->ctf, 1);
	queue_message(it, bt_message_stream_beginning_create(it->self, it->component->stream));
}

static void end_events(struct iterator *it)
{
	while (it->n_kinds)
		bt_event_class_put_ref(it->kinds[--it->n_kinds]);
	for (; it->first < it->n; it->first++)
		bt_message_put_ref(it->queue[it->first]);
	it->first = it->n = 0;
	iot_ctf_free(&it->ctf);
	iota_free(it->ctf.a);
}

static void end_iterator(bt_self_message_iterator *self)
{
	struct iterator *it = bt_self_message_iterator_get_data(self);

	end_events(it);
	free(it->kinds);
	free(it->queue);
	iotr_set_free(it->set);
	free(it);
}

static bt_message_iterator_class_initialize_method_status
begin_iterator(bt_self_message_iterator *self, bt_self_message_iterator_configuration *config,
	       bt_self_component_port_output *port)
{
	struct iterator *it = there(calloc(1, sizeof(*it)));
	const char *name;
	uint64_t i;

	(void)port;
	bt_self_message_iterator_configuration_set_can_seek_forward(config, BT_TRUE);
	it->self = self;
	it->component = bt_self_component_get_data(bt_self_message_iterator_borrow_component(self));
	it->set = there(iotr_set_new(on_message, NULL));
	begin_events(it);
	bt_self_message_iterator_set_data(self, it);
	for (i = 0; i < bt_value_array_get_length(it->component->inputs); i++) {
		name = bt_value_string_get(bt_value_array_borrow_element_by_index_const(it->component->inputs, i));
		if (iotr_set_add(it->set, name) < 0) {
			bt_current_thread_error_append_cause_from_message_iterator(self, __FILE__, __LINE__,
										   "%s: can't be read", name);
			end_iterator(self);
			return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
		}
	}
	return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

/* With it, babeltrace2 finds any moment by itself. */
static bt_message_iterator_class_seek_beginning_method_status begin_anew(bt_self_message_iterator *self)
{
	struct iterator *it = bt_self_message_iterator_get_data(self);

	end_events(it);
	it->ended = false;
	iotr_set_rewind(it->set);
	begin_events(it);
	return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}

static bt_message_iterator_class_can_seek_beginning_method_status can_begin_anew(bt_self_message_iterator *self, bt_bool *can)
{
	(void)self;
	*can = BT_TRUE;
	return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}

/* Asks for the next call.  false: there is none. */
static bool read_call(struct iterator *it)
{
	const struct iotr_call *call = it->ended ? NULL : iotr_set_next(it->set);
	struct iota_sample s;

	if (call) {
		iota_sample(it->ctf.a, &s, call);
		iot_ctf_call(&it->ctf, &s);
		return true;
	}
	if (it->ended)
		return false;
	it->ended = true;
	iot_ctf_end(&it->ctf);
	queue_message(it, bt_message_stream_end_create(it->self, it->component->stream));
	return true;
}

static bt_message_iterator_class_next_method_status next(bt_self_message_iterator *self, bt_message_array_const messages,
							 uint64_t capacity, uint64_t *count)
{
	struct iterator *it = bt_self_message_iterator_get_data(self);

	*count = 0;
	while (*count < capacity) {
		if (it->first < it->n) {
			messages[(*count)++] = it->queue[it->first++];
			continue;
		}
		it->first = it->n = 0;
		if (!read_call(it))
			break;
	}
	if (iotr_set_failed(it->set))
		iot_no_memory();
	return *count ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

/* ---- which names stand for logs ---- */

static bool is_log(const char *name)
{
	static const char suffix[] = ".iotrace";
	const size_t len = strlen(name);

	return len > sizeof(suffix) - 1 && !strcmp(name + len - (sizeof(suffix) - 1), suffix);
}

static bool has_logs(const char *name)
{
	DIR *dir = opendir(name);
	const struct dirent *d;
	bool found = false;

	while (dir && !found && (d = readdir(dir)))
		found = is_log(d->d_name);
	if (dir)
		closedir(dir);
	return found;
}

/* All logs are one group: one component has them in the order of time. */
static const bt_value *support(const char *type, const char *input)
{
	const bool ours = strcmp(type, "directory") == 0 ? has_logs(input) : strcmp(type, "file") == 0 && is_log(input);
	bt_value *map = there(bt_value_map_create());

	CHECKED(bt_value_map_insert_real_entry(map, "weight", ours ? 0.75 : 0));
	CHECKED(bt_value_map_insert_string_entry(map, "group", "iotrace"));
	return map;
}

static bt_component_class_query_method_status query(bt_self_component_class_source *self, bt_private_query_executor *executor,
						    const char *object, const bt_value *params, void *data,
						    const bt_value **result)
{
	const bt_value *type, *input;

	(void)self;
	(void)executor;
	(void)data;
	if (strcmp(object, "babeltrace.support-info") != 0)
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	if (!bt_value_is_map(params))
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
	type = bt_value_map_borrow_entry_value_const(params, "type");
	input = bt_value_map_borrow_entry_value_const(params, "input");
	if (!type || !bt_value_is_string(type) || !input || !bt_value_is_string(input))
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
	*result = support(bt_value_string_get(type), bt_value_string_get(input));
	return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK;
}

BT_PLUGIN_MODULE();
BT_PLUGIN(iotrace);
BT_PLUGIN_DESCRIPTION("Logs of iotrace");
BT_PLUGIN_LICENSE("BSD-3-Clause");
BT_PLUGIN_SOURCE_COMPONENT_CLASS(logs, next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(logs, "Calls of iotrace logs, and of directories with such logs");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(logs, "See iotrace-export(1), FORMATS, ctf");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD(logs, query);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(logs, begin_component);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(logs, end_component);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD(logs, begin_iterator);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS(logs, begin_anew, can_begin_anew);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD(logs, end_iterator);
