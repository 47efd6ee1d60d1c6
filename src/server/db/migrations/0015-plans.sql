-- What is taken back is found by what it would do: an Item's job, among those of all Items. By the
-- beginning of it, since an index takes no text of any length.
create index jobs_payload on jobs (client_id, kind, substr(payload, 1, 200));

-- Whose jobs are due is read from the index alone.
drop index jobs_due;
create index jobs_due on jobs (due_at, client_id);

-- Counts of minutes that are over, among those of the present one.
create index rate_windows_start on rate_windows (client_id, window_start);
