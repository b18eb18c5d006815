import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSettled } from '../../../lib/form/use-settled.ts'
import { Card } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { changeDraft } from './new-draft-store.ts'
import type { Draft } from './new-draft.ts'
import { LinesField, type PartProps, TextField } from './new-fields.tsx'
import { placeOf, sourceOf } from './new-body.ts'
import { reviewQuery } from './new-queries.ts'
import { isComposeDraft } from './new-source-kind.ts'

interface BasicsProps extends PartProps {
  /** Where one chooses the project that it is in. */
  project: ReactNode
  domains?: ReactNode
}

/** What it is called, and where it is reached. Addresses of a compose file have a form of their own. */
export function Basics({ project, domains, ...props }: BasicsProps) {
  const { draft } = props
  const address = useGeneratedAddress(draft)
  return (
    <Card title="Name and addresses">
      <div className="flex max-w-2xl flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...props} name="name" label="Name" help="As you call it here." />
          {project}
        </div>
        <Checkbox
          name="generated_address"
          label="Give it an address that works at once"
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
            help="One a line. Each gets a certificate and HTTPS; with http:// before it, it goes without."
          />
        )}
      </div>
    </Card>
  )
}

function addressHelp(address: string | null | undefined, compose: boolean) {
  if (address === null)
    return compose
      ? 'There can be none: no service names a port, or this server has no address of its own that the world knows.'
      : 'This server has no address of its own that the world knows, so there can be none.'
  if (address === undefined) return 'It needs nothing to be set at a DNS.'
  return <span className="font-mono wrap-anywhere">{address}</span>
}

/** The server makes it of the name and its own address; undefined until it is known. */
function useGeneratedAddress(draft: Draft) {
  const settled = useSettled(draft.name.trim(), 300)
  const { data } = useQuery({
    ...reviewQuery({
      name: settled,
      source: sourceOf(draft),
      ...placeOf(draft),
      ...(isComposeDraft(draft) ? { env: draft.env } : {}),
    }),
    enabled: settled !== '',
    placeholderData: (before) => before,
  })
  return settled === '' ? undefined : data?.generated_address
}
