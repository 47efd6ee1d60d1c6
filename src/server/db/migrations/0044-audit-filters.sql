-- The audit log of a client for the dashboard, the newest first: all of it, of a person, of an object.
create index audit_log_newest on audit_log (client_id, at, audit_id);
create index audit_log_actor on audit_log (client_id, actor, at, audit_id);
create index audit_log_subject on audit_log (client_id, subject, at, audit_id);
