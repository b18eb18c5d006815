import type { Area } from '../../area.ts'
import { jobs, schedules } from './jobs.ts'
import { watchers } from './watch.ts'

export const proxiesArea: Area = {
  name: 'proxies',
  jobs,
  schedules,
  watchers,
}
