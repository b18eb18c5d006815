import { useQuery } from '@tanstack/react-query'
import { useSettled } from '../../lib/use-settled.ts'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { changeDraft } from './new-draft-store.ts'
import type { Draft } from './new-draft.ts'
import { LinesField, type PartProps, TextField } from './new-fields.tsx'
import { reviewQuery } from './new-queries.ts'

/** What it is called, and where it is reached. */
export function Basics(props: PartProps) {
  const { draft } = props
  const address = useGeneratedAddress(draft)
  return (
    <Card title="Name and addresses">
      <div className="flex max-w-2xl flex-col gap-4">
        <div className="sm:max-w-sm">
          <TextField {...props} name="name" label="Name" help="As you call it here." />
        </div>
        <Checkbox
          name="generated_address"
          label="Give it an address that works at once"
          checked={draft.generated_address && address !== null}
          disabled={address === null}
          onChange={({ target }) => changeDraft({ generated_address: target.checked })}
          help={addressHelp(address)}
        />
        <LinesField
          {...props}
          name="domains"
          label="Domains"
          optional
          rows={2}
          placeholder={'app.example.com\napp.example.com/api'}
          help="One a line. Each gets a certificate and HTTPS; with http:// before it, it goes without."
        />
      </div>
    </Card>
  )
}

function addressHelp(address: string | null | undefined) {
  if (address === null)
    return 'This server has no address of its own that the world knows, so there can be none.'
  if (address === undefined) return 'It needs nothing to be set at a DNS.'
  return <span className="font-mono wrap-anywhere">{address}</span>
}

/** The server makes it of the name and its own address; undefined until it is known. */
function useGeneratedAddress({ name, 'source.image': image, server_id: server }: Draft) {
  const settled = useSettled(name.trim(), 300)
  const { data } = useQuery({
    ...reviewQuery({
      name: settled,
      source: { type: 'docker_image', image: image.trim() },
      server_id: server,
    }),
    enabled: settled !== '',
    placeholderData: (before) => before,
  })
  return settled === '' ? undefined : data?.generated_address
}
