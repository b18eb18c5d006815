import { inAList } from '../../../platform/text/in-a-list.ts'

/** What has to end before its successor starts takes no requests meanwhile. */
export const stoppedFirst = (who: readonly string[]) =>
  `${inAList(who)} ${who.length > 1 ? 'are' : 'is'} stopped first: expect a gap of some seconds.`
