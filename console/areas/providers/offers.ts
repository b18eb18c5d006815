import type { Region, ServerImage, ServerType } from './queries.ts'

export interface Offer {
  type: ServerType
  available: boolean
  price: ServerType['regions'][number]['price']
  /** Other regions that have the type in stock, if it is sold out in this one. */
  elsewhere: string[]
}

function offersIn(types: readonly ServerType[], region: string, regions: readonly Region[]): Offer[] {
  const nameOf = (id: string) => regions.find((region) => region.id === id)?.name ?? id
  return types
    .flatMap((type): Offer[] => {
      const here = type.regions.find(({ id }) => id === region)
      if (!here) return []
      const others = here.available ? [] : type.regions.filter(({ available }) => available)
      const elsewhere = others.map(({ id }) => nameOf(id))
      return [{ type, available: here.available, price: here.price, elsewhere }]
    })
    .toSorted((a, b) => a.price.monthly - b.price.monthly)
}

interface OrderSelection {
  region: string
  type: string
  image: string
}

interface Catalog {
  regions: readonly Region[] | undefined
  types: readonly ServerType[] | undefined
  images: readonly ServerImage[] | undefined
}

/** Resolves the selection against the catalog, because a link may name an unknown or sold-out offer. */
export function resolveOrder({ regions = [], types = [], images = [] }: Catalog, wanted: OrderSelection) {
  const region = regions.find(({ id, available }) => id === wanted.region && available)
  const offers = region ? offersIn(types, region.id, regions) : []
  const offer = offers.find(({ type, available }) => type.id === wanted.type && available)
  const fitting = images.filter(
    ({ architectures }) => !offer || architectures.includes(offer.type.architecture),
  )
  const image =
    fitting.find(({ id }) => id === wanted.image) ?? fitting.find(({ recommended }) => recommended)
  return { region, offers, offer, fitting, image }
}
