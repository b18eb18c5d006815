import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { operationJobs, operationSchedules } from './operation-jobs.ts'
import { routes } from './routes.ts'
import { watchers } from './watch.ts'

export const deploymentsArea: Area = {
  name: 'deployments',
  routes,
  jobs: [...jobs, ...operationJobs],
  schedules: [...schedules, ...operationSchedules],
  watchers,
}
