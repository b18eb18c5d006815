import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { CloudTokenRow } from '../cloud-tokens/cloud-token.ts'
import { listCloudImages, listCloudRegions, listCloudTypes } from '../cloud-tokens/catalogue.ts'
import type { ServerType } from '../providers/provider.ts'

export interface ServerOrder {
  region: string
  type: string
  image: string
}

interface Offer {
  price: ServerType['regions'][number]['price']
  imageName: string
}

/** Returns the price, or throws 422 with a message per field that the provider does not offer. */
export async function validateOrder(
  ctx: Context,
  token: CloudTokenRow,
  ordered: ServerOrder,
  place = '',
): Promise<Offer> {
  const [regions, types, images] = await Promise.all([
    listCloudRegions(ctx, token),
    listCloudTypes(ctx, token),
    listCloudImages(ctx, token),
  ])
  const region = regions.find(({ id }) => id === ordered.region)
  const type = types.find(({ id }) => id === ordered.type)
  const image = images.find(({ id }) => id === ordered.image)
  const offer = type?.regions.find(({ id }) => id === ordered.region)
  const problems: Record<string, string[]> = {}
  const say = (field: keyof ServerOrder, sentence: string) => (problems[place + field] ??= [sentence])
  if (!region) say('region', `The region ${ordered.region} does not exist. Choose another.`)
  else if (!region.available)
    say('region', `Servers cannot be created in ${region.name} now. Choose another region.`)
  if (!type) say('type', `The server type ${ordered.type} does not exist. Choose another.`)
  else if (region && !offer)
    say('type', `${type.name} is not offered in ${region.name}. Choose another type or region.`)
  else if (region && !offer?.available)
    say('type', `${type.name} is sold out in ${region.name}. Choose another type or region.`)
  if (!image) say('image', `The image ${ordered.image} does not exist or is not supported. Choose another.`)
  else if (type && !image.architectures.includes(type.architecture))
    say(
      'image',
      `${image.name} does not run on ${type.name}, which is ${type.architecture}. Choose another image or type.`,
    )
  if (!offer || !image || Object.keys(problems).length > 0) throw new Invalid(problems)
  return { price: offer.price, imageName: image.name }
}
