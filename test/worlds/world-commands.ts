import type { Id } from '../../contract/shared/ids.ts'
import { makeCommand } from '../support/factories/factories.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, minute } from './world-times.ts'

const long = `docker run --rm -v /srv/${'averylongfolder'.repeat(8)}:/data alpine sh -c 'du -sh /data'`

/** One command per outcome. */
export async function makeCommands(ctx: Stage['ctx'], workspace: Id<'workspace'>, server: Id<'server'>) {
  const commands = [
    { command: long, status: 'timed_out', age: 3 * day, took: 60_000, error: 'It took too long.' },
    { command: 'reboot', status: 'lost', age: 2 * day, took: 9_000, error: 'The server went down.' },
    { command: 'tail -f /var/log/syslog', status: 'cancelled', age: day, took: 754_000 },
    { command: 'systemctl status nginx', status: 'completed', exit_code: 3, age: 50 * minute, took: 120 },
    { command: 'df -h /\nfree -m', status: 'completed', exit_code: 0, age: 4 * minute, took: 40 },
  ] as const
  for (const { age, took, ...given } of commands)
    await makeCommand(ctx, workspace, server, {
      exit_code: null,
      ...given,
      actor_name: 'Grace Hopper',
      created_at: ago(age),
      finished_at: ago(age - took),
      output: `Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        79G   41G   35G  55% /\n`,
    })
}
