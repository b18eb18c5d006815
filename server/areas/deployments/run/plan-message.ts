import { inAList } from '../../../platform/text/in-a-list.ts'
import type { PlannedService } from '../../../tables.ts'

/** So many are named; more are counted. */
const mostNamed = 3

/** "Roll web, leave api and db alone": what a deployment does with the services of a file, for a list. */
export function messageOfPlan(plan: readonly PlannedService[]): string {
  const namesOf = (action: PlannedService['action']) =>
    plan.flatMap((one) => (one.action === action && !isEmpty(one) ? [one.service] : []))
  const [added, alone] = [namesOf('added'), namesOf('unchanged')]
  const replaced = [
    ...doing('recreate', namesOf('recreated')),
    ...doing('update', namesOf('rolled')),
    ...doing('remove', namesOf('removed')),
  ]
  if (replaced.length === 0 && added.length === 0)
    return `Deploy ${countServices(alone.length)}, none changed`
  if (replaced.length === 0 && alone.length === 0) return `Deploy ${countServices(added.length)}`
  const [first = '', ...others] = [...replaced, ...doing('add', added), ...doing('keep', alone)]
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(', ')
}

export const countServices = (many: number) => `${many} ${many === 1 ? 'service' : 'services'}`

/** One that is to have no containers has nothing done to it. */
const isEmpty = ({ action, why }: PlannedService) => action === 'unchanged' && why.length > 0

const doing = (verb: string, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`${verb} ${names.length > mostNamed ? countServices(names.length) : inAList(names)}`]
