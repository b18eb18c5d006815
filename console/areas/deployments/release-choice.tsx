import { Radio } from '../../ui/form/checkbox.tsx'
import { Time } from '../../ui/time.tsx'
import type { Release } from './queries.ts'
import { shortDigest } from './short-digest.ts'

interface ReleaseChoiceProps {
  release: Release
  checked: boolean
  onChoose: () => void
  onShow: (deploymentId: string) => void
}

/** Radio button for a release to roll back to. */
export function ReleaseChoice({ release, checked, onChoose, onShow }: ReleaseChoiceProps) {
  const {
    number,
    image,
    digest,
    image_id: imageId,
    services,
    live_at: live,
    deployment_id: deploymentId,
    actor,
  } = release
  return (
    <Radio
      name="release"
      checked={checked}
      onChange={onChoose}
      label={`Release ${number}`}
      help={
        <span className="flex flex-col">
          {services === null ? (
            <span className="font-mono break-all" dir="ltr">
              {image}{' '}
              <span title={digest ?? imageId} className="whitespace-nowrap">
                ({shortDigest(digest ?? imageId)})
              </span>
            </span>
          ) : (
            <span className="font-mono break-all" dir="ltr">
              {services.map((service) => `${service.name}: ${service.image}`).join(', ')}
            </span>
          )}
          <span>
            {live !== null && (
              <>
                Last live <Time at={live} />
              </>
            )}
            {deploymentId !== null && actor !== null && (
              <>
                , deployed by{' '}
                <button
                  type="button"
                  onClick={() => onShow(deploymentId)}
                  className="rounded-sm underline hover:text-ink"
                >
                  {actor.name}
                </button>
              </>
            )}
          </span>
        </span>
      }
    />
  )
}
