import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { routes } from './routes.ts'
import { createSetupLinkAtStart } from './setup-link.ts'

export const authArea: Area = {
  name: 'auth',
  routes,
  jobs,
  schedules,
  start: {
    async onceListening(ctx) {
      const link = await createSetupLinkAtStart(ctx)
      if (link)
        process.stdout.write(
          `  Create the first account with this link. It can be used once; the next start prints a new one.\n  ${link}\n\n`,
        )
    },
  },
}
