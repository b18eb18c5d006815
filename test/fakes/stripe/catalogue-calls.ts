import { z } from 'zod'
import { missing } from './answer.ts'
import { pageOfList } from './lists.ts'
import { boolean, expand, paging, text } from './params.ts'
import { type Route, route } from './routes.ts'
import { showPrice, showProduct } from './show.ts'

const one = z.strictObject({ expand })

export const catalogueRoutes: Route[] = [
  route(['GET', '/v1/prices/:id', 'price'], one, ({ state, params }) => {
    const price = state.prices.find(({ id, isRemoved }) => id === params['id'] && !isRemoved)
    if (!price) throw missing('price', params['id'] ?? '', 'price')
    return showPrice(price)
  }),
  route(
    ['GET', '/v1/prices', 'list price'],
    z.strictObject({
      ...paging,
      active: boolean.optional(),
      currency: text.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      product: text.optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
    }),
    (call, given) => {
      const { active, currency, lookup_keys, product, type } = given
      const fitting = call.state.prices.filter(
        (price) =>
          !price.isRemoved &&
          // Without a word about it, only those that are sold.
          price.active === (active ?? true) &&
          (currency === undefined || price.currency === currency) &&
          (lookup_keys === undefined || lookup_keys.includes(price.lookup_key ?? '')) &&
          (product === undefined || price.product === product) &&
          (type === undefined || (type === 'recurring') === (price.recurring !== null)),
      )
      return pageOfList(call, fitting, given, showPrice)
    },
  ),
  route(['GET', '/v1/products/:id', 'product'], one, ({ state, params }) => {
    const product = state.products.find(({ id }) => id === params['id'])
    if (!product) throw missing('product', params['id'] ?? '')
    return showProduct(product)
  }),
]
