import { inAList } from '../../../platform/text/in-a-list.ts'

export const stoppedFirstMessage = (who: readonly string[]) =>
  `${inAList(who)} ${who.length > 1 ? 'are' : 'is'} stopped first: expect a few seconds of downtime.`
