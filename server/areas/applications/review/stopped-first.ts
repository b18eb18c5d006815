import { formatList } from '../../../../contract/shared/format-list.ts'

export const stoppedFirstMessage = (who: readonly string[]) =>
  `${formatList(who)} ${who.length > 1 ? 'are' : 'is'} stopped first: expect a few seconds of downtime.`
