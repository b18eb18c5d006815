# Exit codes of the scripts that fetch and build a source; source-work.ts lists the same codes.
# Include this file after other commands: a shellcheck directive before the first command applies to the whole script.
# shellcheck disable=SC2034 # no script uses all of them
{
  exit_no_git=60
  exit_not_fetched=61
  exit_disk_full=62
  exit_late=63
  exit_no_lfs=64
  exit_not_checked_out=65
  exit_no_folder=66
  exit_leaves=67
  exit_no_dockerfile=68
  exit_no_railpack=69
  exit_out_of_memory=70
  exit_no_plan=71
  exit_met_limit=72
  exit_no_limits=73
  exit_no_turn=74
  exit_other_syntax=75
  exit_still_busy=76
}
