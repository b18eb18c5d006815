import { events } from '../../../contract/shared/events.ts'
import type { Event } from './telling.ts'

/** As the audit log says it. */
export const sentenceOf = ({ actor_name, type, target_name }: Event): string =>
  [actor_name, events[type], target_name].filter((part) => part !== null).join(' ')
