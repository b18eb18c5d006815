import { Notice } from '../../ui/notice.tsx'

interface TemplatePowersProps {
  powers: readonly string[]
  /** Whether who looks at it may deploy it all the same. */
  allowed: boolean
}

/** What makes who controls a container the master of the server, said before anything is deployed. */
export const TemplatePowers = ({ powers, allowed }: TemplatePowersProps) =>
  powers.length > 0 && (
    <Notice
      tone="red"
      title={`It gives containers power over the server${allowed ? '' : ', so that an admin has to deploy it'}`}
    >
      <ul className="flex flex-col gap-1">
        {powers.map((power) => (
          <li key={power}>{power}</li>
        ))}
      </ul>
    </Notice>
  )
