import { changeDraft } from '../areas/applications/new-draft-store.ts'
import type { PartProps } from '../areas/applications/new-fields.tsx'
import { ServerChoices } from './server-choices.tsx'

/** Where it runs. */
export const NewApplicationServer = ({ draft, errors }: PartProps) => (
  <ServerChoices
    value={draft.server_id}
    onChange={(server_id) => changeDraft({ server_id })}
    error={errors['server_id']}
  />
)
