-- The latest imports of a client, for the dashboard.
create index audit_log_action on audit_log (client_id, action, at, audit_id);
