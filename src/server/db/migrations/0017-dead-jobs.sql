-- Jobs that failed for good. A table of their own: what looks for work does not meet them, nor do
-- earlier programs, which would try them again.
create table dead_jobs (
  client_id text not null,
  job_id text not null,
  kind text not null,
  payload text not null,
  attempts integer not null,
  -- In real ms, the last attempt.
  failed_at bigint not null,
  -- Why that one failed, without secrets.
  error text not null,
  primary key (client_id, job_id)
);

-- What is old enough to go.
create index dead_jobs_failed on dead_jobs (client_id, failed_at);
