import type { Area } from '../../area.ts'
import { startCommandFollower } from './command-follower.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'

export const commandsArea: Area = {
  name: 'commands',
  routes,
  jobs,
  schedules,
  // Stops before the web server, so that requests that wait for a command are still answered.
  start: { afterRoles: startCommandFollower },
}
