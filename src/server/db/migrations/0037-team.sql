-- The sessions of a client, the one that ends last first.
create index dashboard_sessions_list on dashboard_sessions (client_id, ends_at, session_hash);

-- Whether a client has another admin.
create index dashboard_users_admins on dashboard_users (client_id, id)
  where role = 'admin' and status = 'active';
