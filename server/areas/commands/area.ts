import type { Area } from '../../area.ts'
import { startCommandFollower } from './command-follower.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const commandsArea: Area = {
  name: 'commands',
  routes,
  jobs,
  schedules,
  // Stopped before the web server, while requests that wait for a command can still be answered.
  start: { afterRoles: startCommandFollower },
}
