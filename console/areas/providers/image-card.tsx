import { Card } from '../../ui/card.tsx'
import { Choices } from '../../ui/choices.tsx'
import { CataloguePart } from './catalogue-part.tsx'
import type { OrderPart } from './order-part.ts'

/** The system that it begins with. */
export const ImageCard = ({ order, name, error }: OrderPart) => (
  <Card
    title="Image"
    description="The system that it begins with. Applications bring their own in containers, so the recommended one does."
  >
    <CataloguePart things="images" query={order.images}>
      {() => (
        <Choices
          name={name}
          legend="With which system?"
          options={order.chosen.fitting.map(({ id, name, recommended }) => ({
            value: id,
            title: name,
            ...(recommended && { text: 'Recommended' }),
          }))}
          value={order.chosen.image?.id ?? ''}
          onChange={order.setImage}
          error={error}
          short
        />
      )}
    </CataloguePart>
  </Card>
)
