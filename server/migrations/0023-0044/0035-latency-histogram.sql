-- Responses per second that took at least so many milliseconds until their headers; null where the proxy did not count.
alter table application_samples
  add column slower_0 real,
  add column slower_5 real,
  add column slower_10 real,
  add column slower_20 real,
  add column slower_50 real,
  add column slower_100 real,
  add column slower_200 real,
  add column slower_500 real,
  add column slower_1000 real,
  add column slower_2000 real,
  add column slower_5000 real,
  add column slower_10000 real;
alter table application_rollups
  add column slower_0 real,
  add column slower_5 real,
  add column slower_10 real,
  add column slower_20 real,
  add column slower_50 real,
  add column slower_100 real,
  add column slower_200 real,
  add column slower_500 real,
  add column slower_1000 real,
  add column slower_2000 real,
  add column slower_5000 real,
  add column slower_10000 real;
