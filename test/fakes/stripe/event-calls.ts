import { z } from 'zod'
import { missing } from './answer.ts'
import { pageOfList } from './lists.ts'
import { expand, paging, text } from './params.ts'
import { day } from './periods.ts'
import { type Route, route } from './routes.ts'

export const eventRoutes: Route[] = [
  route(['GET', '/v1/events/:id', 'event'], z.strictObject({ expand }), ({ state, params }) => {
    const event = state.events.find(({ id }) => id === params['id'])
    if (!event) throw missing('event', params['id'] ?? '')
    return event
  }),
  route(
    ['GET', '/v1/events', 'list event'],
    z.strictObject({ ...paging, type: text.optional(), types: z.array(text).max(20).optional() }),
    (call, given) => {
      const { type, types } = given
      // A star at the end stands for the rest, and after thirty days they are gone.
      const fitting = call.state.events.filter(
        (event) =>
          event.created > call.state.now() - 30 * day &&
          (type === undefined ||
            event.type === type ||
            (type.endsWith('*') && event.type.startsWith(type.slice(0, -1)))) &&
          (types === undefined || types.includes(event.type)),
      )
      return pageOfList(call, fitting, given, (event) => event)
    },
  ),
]
