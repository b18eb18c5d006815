import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ImageCard } from './image-card.tsx'
import { OrderSummary } from './order-summary.tsx'
import type { Source } from './queries.ts'
import { RegionCard } from './region-card.tsx'
import { TypeCard } from './type-card.tsx'
import { type Preset, useOrder } from './use-order.ts'

interface OrderFormProps {
  form: ComponentProps<'form'>
  /** Before the names of its fields: `cloud.` */
  prefix?: string
  errors: Record<string, string>
  /** Undefined while no account is chosen. */
  source: (Source & { account: string; providerName: string }) | undefined
  preset?: Preset
  /** What comes before: whose account. */
  before?: ReactNode
  /** "Create server" */
  action: string
  pending: boolean
  /** What comes after: its name. */
  children?: ReactNode
}

/** What is to be made, beside a summary of it with what it will cost. */
export function OrderForm(props: OrderFormProps) {
  const { form, prefix = '', errors, source, preset, before, action, pending, children } = props
  return (
    <form
      {...form}
      data-whole-page
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 min-[1280px]:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        {before}
        {source && <Parts {...{ source, preset, prefix, errors }} />}
        {source && children}
      </div>
      {source && (
        <div className="min-[1280px]:sticky min-[1280px]:top-20">
          <OrderSummary {...{ source, preset }}>
            <Button
              type="submit"
              variant="primary"
              pending={pending && 'Ordering…'}
              className="self-end max-sm:h-10 max-sm:self-stretch min-[1280px]:self-stretch"
            >
              {action}
            </Button>
          </OrderSummary>
        </div>
      )}
    </form>
  )
}

interface PartsProps {
  source: Source
  preset: Preset | undefined
  prefix: string
  errors: Record<string, string>
}

function Parts({ source, preset, prefix, errors }: PartsProps) {
  const order = useOrder(source, preset)
  const part = (name: string) => ({ order, name: `${prefix}${name}`, error: errors[`${prefix}${name}`] })
  return (
    <>
      <RegionCard {...part('region')} />
      <TypeCard {...part('type')} />
      <ImageCard {...part('image')} />
    </>
  )
}
