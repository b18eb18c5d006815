import type { ReactNode } from 'react'
import { FormCard, type FormCardPart } from '../../../lib/form/form-card.tsx'
import { type ApplicationChange, useUpdateApplication } from '../queries.ts'

type Fields = Readonly<Record<string, 'required' | 'optional'>>
type Typed<F extends Fields> = Record<keyof F & string, string>

interface SettingsCardProps<F extends Fields> {
  applicationId: string
  title: string
  description?: ReactNode
  fields: F
  saved: Typed<F>
  read: (values: Typed<F>) => ApplicationChange
  /** The settings apply without a deployment. */
  atOnce?: boolean
  children: (part: FormCardPart<Typed<F>>) => ReactNode
}

export function SettingsCard<const F extends Fields>(props: SettingsCardProps<F>) {
  const { applicationId, read, atOnce = false, ...card } = props
  const update = useUpdateApplication(applicationId)
  return (
    <FormCard
      {...card}
      applies={atOnce ? undefined : 'Applies on the next deployment.'}
      save={async (values) => {
        await update.mutateAsync(read(values))
        return atOnce ? undefined : 'Redeploy to apply.'
      }}
    />
  )
}
