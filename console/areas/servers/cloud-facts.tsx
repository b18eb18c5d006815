import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Time } from '../../ui/time.tsx'
import { cloudWord, costOf } from './cloud-words.ts'
import type { CloudServer } from './creation-words.ts'
import { type Fact, known } from './fact.tsx'

/** What it is at its cloud, and what it costs. */
export function CloudFacts({ server, wide }: { server: CloudServer; wide: boolean }) {
  const { provider_name: provider, url, status } = server.cloud
  const facts = factsOf(server).map(known)
  const half = wide ? Math.ceil(facts.length / 2) : facts.length
  return (
    <Card
      title={`At ${provider}`}
      action={
        url !== null &&
        status !== 'deleted' && (
          <OutsideLink href={url} className="text-sm">
            Open at {provider}
          </OutsideLink>
        )
      }
    >
      <div className={classNames('grid gap-x-6 gap-y-2.5 max-sm:gap-y-0', wide && 'lg:grid-cols-2')}>
        <DefinitionList items={facts.slice(0, half)} />
        {wide && <DefinitionList items={facts.slice(half)} />}
      </div>
    </Card>
  )
}

function factsOf({ region, type, cloud }: CloudServer): Fact[] {
  const isSeen = cloud.drift.every(({ kind }) => kind !== 'unseen')
  const [tone, word] = cloudWord(isSeen ? cloud.status : 'unknown')
  return [
    { term: 'State', value: cloud.id === null ? 'Not made yet' : <Badge tone={tone}>{word}</Badge> },
    { term: 'Type', value: type },
    { term: 'Region', value: region },
    { term: 'Image', value: cloud.image },
    { term: 'Price', value: cloud.status === 'deleted' ? 'Nothing any more' : costOf(cloud) },
    { term: 'Its id there', value: cloud.id && <span className="font-mono text-sm">{cloud.id}</span> },
    { term: 'Last seen there', value: cloud.seen_at && <Time at={cloud.seen_at} /> },
    { term: 'Came by', value: cloud.origin === 'created' ? 'Made by Slipway' : 'Imported from the account' },
  ]
}
