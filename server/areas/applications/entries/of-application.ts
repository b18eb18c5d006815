import type { EventType } from '../../../../contract/shared/events.ts'
import { mustNotBeCompose } from '../compose.ts'
import type { EntryKind } from './entry-list.ts'
import type { Entry } from './entries-store.ts'
import { noteChange } from '../noted.ts'
import { withApplication } from '../with-application.ts'

/** Defines how entries of an application are locked and changed. `plural` starts the error for compose applications. */
export const ofApplication = (
  event: EventType & `application.${string}`,
  plural?: string,
): Pick<EntryKind<Entry, unknown>, 'within' | 'note'> => ({
  within: (ctx, actor, id, work) =>
    withApplication(ctx, actor, id, (trx, application) => {
      if (plural) mustNotBeCompose(application, plural)
      return work(trx, application)
    }),
  note: (trx, actor, application, names) => noteChange(trx, actor, application, event, names),
})
