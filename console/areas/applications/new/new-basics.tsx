import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDebounced } from '../../../lib/form/use-debounced.ts'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { changeDraft } from './new-draft-store.ts'
import { isComposeDraft, type NewApplicationDraft } from './new-draft.ts'
import { LinesField, type PartProps, TextField } from './new-fields.tsx'
import { toPlacement, toSource } from './new-body.ts'
import { reviewQuery } from './new-queries.ts'

interface BasicsProps extends PartProps {
  project: ReactNode
  domains?: ReactNode
}

/** Compose applications edit their domains in a form of their own. */
export function NewBasicFields({ project, domains, ...props }: BasicsProps) {
  const { draft } = props
  const address = useGeneratedAddress(draft)
  return (
    <Card title="Name and domains">
      <div className="flex max-w-2xl flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...props} name="name" label="Name" />
          {project}
        </div>
        <Checkbox
          name="generated_address"
          label="Generate a URL"
          checked={draft.generated_address && address !== null}
          disabled={address === null}
          onChange={({ target }) => changeDraft({ generated_address: target.checked })}
          help={addressHelp(address, isComposeDraft(draft))}
        />
        {domains ?? (
          <LinesField
            {...props}
            name="domains"
            label="Domains"
            optional
            rows={2}
            placeholder={'app.example.com\napp.example.com/api'}
            help="One per line. HTTPS is automatic. Prefix with http:// to disable it."
          />
        )}
      </div>
    </Card>
  )
}

function addressHelp(address: string | null | undefined, compose: boolean) {
  if (address === null)
    return compose
      ? 'Unavailable: no service exposes a port, or the server has no public IP address.'
      : 'Unavailable: the server has no public IP address.'
  if (address === undefined) return 'No DNS setup needed.'
  return <span className="font-mono wrap-anywhere">{address}</span>
}

/** Built by the server from the name and its address; undefined until it is known. */
function useGeneratedAddress(draft: NewApplicationDraft) {
  const settled = useDebounced(draft.name.trim(), 300)
  const { data } = useQuery({
    ...reviewQuery({
      name: settled,
      source: toSource(draft),
      ...toPlacement(draft),
      ...(isComposeDraft(draft) ? { env: draft.env } : {}),
    }),
    enabled: settled !== '',
    placeholderData: (before) => before,
  })
  return settled === '' ? undefined : data?.generated_address
}
