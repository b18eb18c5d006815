-- Who may open terminals and run commands in containers of applications; on servers it is always admins.
alter table workspaces add column shell_access text not null default 'members'
  check (shell_access in ('members', 'admins'));

-- Whoever has a terminal open is judged anew.
create trigger tell_changed after update of shell_access on workspaces
  for each statement execute function tell_access();

-- Whether running it took the right to act as root on the server: reading its output takes the same right. What was run
-- before this was recorded counts as such.
alter table commands add column as_root boolean not null default true;
