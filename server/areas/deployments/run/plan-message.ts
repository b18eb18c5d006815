import { formatList } from '../../../../contract/shared/wording.ts'
import type { PlannedService } from '../../../tables.ts'

const maxNamed = 3

/** Summarizes a plan: "Update web, keep api and db". */
export function planMessage(plan: readonly PlannedService[]): string {
  const namesOf = (action: PlannedService['action']) =>
    plan.flatMap((one) => (one.action === action && !isScaledToZero(one) ? [one.service] : []))
  const [added, alone] = [namesOf('added'), namesOf('unchanged')]
  const replaced = [
    ...phrase('recreate', namesOf('recreated')),
    ...phrase('update', namesOf('rolled')),
    ...phrase('remove', namesOf('removed')),
  ]
  if (replaced.length === 0 && added.length === 0)
    return `Deploy ${countServices(alone.length)}, none changed`
  if (replaced.length === 0 && alone.length === 0) return `Deploy ${countServices(added.length)}`
  const [first = '', ...others] = [...replaced, ...phrase('add', added), ...phrase('keep', alone)]
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(', ')
}

export const countServices = (many: number) => `${many} ${many === 1 ? 'service' : 'services'}`

const isScaledToZero = ({ action, reasons }: PlannedService) => action === 'unchanged' && reasons.length > 0

const phrase = (verb: string, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`${verb} ${names.length > maxNamed ? countServices(names.length) : formatList(names)}`]
