import { useQuery } from '@tanstack/react-query'
import { useParam } from '../../lib/use-param.ts'
import { resolveOrder } from './offers.ts'
import { type CatalogSource, regionsQuery, serverImagesQuery, serverTypesQuery } from './queries.ts'

export interface Preset {
  region: string | null
  type: string | null
  image: string | null
}

export function useOrder(source: CatalogSource, preset: Preset | undefined) {
  const regions = useQuery(regionsQuery(source))
  const types = useQuery(serverTypesQuery(source))
  const images = useQuery(serverImagesQuery(source))
  const [region, setRegion] = useParam('region')
  const [type, setType] = useParam('type')
  const [image, setImage] = useParam('image')
  const wanted = {
    region: region || (preset?.region ?? ''),
    type: type || (preset?.type ?? ''),
    image: image || (preset?.image ?? ''),
  }
  return {
    regions,
    types,
    images,
    chosen: resolveOrder({ regions: regions.data, types: types.data, images: images.data }, wanted),
    setRegion,
    setType,
    setImage,
  }
}

export type Order = ReturnType<typeof useOrder>

export interface OrderFieldProps {
  order: Order
  name: string
  error: string | undefined
}
