import { isScalar } from 'yaml'
import type { Places } from './find-node.ts'
import type { Finding } from './finding.ts'
import { needsAdmin } from './reach-rules.ts'
import { short } from './to-value.ts'

/** What only an admin may deploy, as sentences for who does not see the file: each says where it stands. */
export const powersInFile = (findings: readonly Finding[], places: Places): string[] =>
  findings.flatMap(({ path, message }) => {
    if (!message.endsWith(needsAdmin)) return []
    const { node } = places.find(path)
    const [section, name, key = ''] = path.map(String)
    const who = section === 'services' ? name : `${section} ${name}`
    const what = isScalar(node) && typeof node.value === 'string' ? ` ${short(node.value)}` : ''
    const where = [who, `${key}${what}`].filter((part) => part !== undefined && part.trim() !== '')
    return [`${where.join(', ')}: ${message.slice(0, -needsAdmin.length).trim()}`]
  })
