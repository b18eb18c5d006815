import { useQuery } from '@tanstack/react-query'
import { useApiMutation } from '../../lib/http/use-api-mutation.ts'
import { callApi } from '../../lib/http/call-api.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'
import { notesQuery } from './queries.ts'

/** Next steps from the template. A member can dismiss them for everyone. */
export function NotesCard({ applicationId: id }: { applicationId: string }) {
  const { data: notes, isPending } = useQuery(notesQuery(id))
  const dismiss = useApiMutation(['applications', 'notes', id], () =>
    callApi('DELETE /v1/applications/{id}/notes', { params: { id } }),
  )
  if (isPending) return <Pending />
  if (!notes) return null
  return (
    <Card
      title="Next steps"
      action={
        <Button
          size="small"
          pending={dismiss.isPending && 'Dismissing…'}
          onClick={() => dismiss.mutate(undefined)}
        >
          Dismiss
        </Button>
      }
    >
      <p className="whitespace-pre-line wrap-anywhere">{notes.trim().split(url).map(linked)}</p>
    </Card>
  )
}

/** Pattern of a link, without punctuation at its end. */
const url = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/

const linked = (part: string, index: number) =>
  index % 2 === 1 ? (
    <ExternalTextLink key={index} href={part}>
      {part}
    </ExternalTextLink>
  ) : (
    part
  )
