import { expect, test } from 'vitest'
import { validateComposeFile } from './validate-compose-file.ts'

const given = { env: [{ key: 'N', value: '3' }], profiles: [] }

/** Lists problems as `line:column` with E for errors and W for warnings. */
const problemsOf = (text: string, profiles: string[] = []) =>
  validateComposeFile(text, { ...given, profiles }).problems.map(
    ({ line, column, severity, message }) =>
      `${line}:${column} ${severity === 'error' ? 'E' : 'W'} ${message}`,
  )

const inWeb = (...lines: string[]) =>
  ['services:', '  web:', '    image: nginx', ...lines.map((line) => `    ${line}`)].join('\n')

test('reports no problems and the declared names of a valid file', () => {
  const text = `x-base: &base
  restart: unless-stopped
  environment:
    - DATABASE_URL
services:
  web:
    <<: *base
    image: ghcr.io/acme/shop:\${TAG:-1.0}
    ports: ["8080:3000", "127.0.0.1:9000-9001:9000-9001/tcp"]
    deploy: { replicas: "\${N}" }
    depends_on:
      db: { condition: service_healthy }
    healthcheck: { test: [CMD, "true"], interval: 1m30s }
    networks: [front, default]
    secrets: [token]
  db:
    build: { context: "https://github.com/acme/db.git" }
    volumes: ["data:/var/lib/data", "./conf:/conf:ro", "/anonymous"]
    env_file: .env
    profiles: [full]
  cron:
    extends: { service: web }
networks: { front: {} }
volumes:
  data:
secrets:
  token: { environment: N }
`
  const checked = validateComposeFile(text, { ...given, profiles: ['full'] })
  expect(checked.problems).toEqual([])
  const published = [
    { host: '', source: 8080, target: 3000, protocol: 'tcp' },
    { host: '127.0.0.1', source: 9000, target: 9000, protocol: 'tcp' },
  ]
  expect(checked.services).toEqual([
    {
      name: 'web',
      image: 'ghcr.io/acme/shop:1.0',
      builds: false,
      ports: [3000, 9000, 9001],
      published,
      profiles: [],
    },
    { name: 'db', image: null, builds: true, ports: [], published: [], profiles: ['full'] },
    {
      name: 'cron',
      image: 'ghcr.io/acme/shop:1.0',
      builds: false,
      ports: [3000, 9000, 9001],
      published,
      profiles: [],
    },
  ])
  expect(checked.variables).toEqual(['TAG', 'N', 'DATABASE_URL'])
})

test.each([
  ['services:\n\tweb:\n\t\timage: nginx\n', '2:1 E YAML does not allow tabs. Indent with spaces.'],
  ['services:\n  web: image: nginx\n', '2:8 E Only one key per line is allowed.'],
  ['services:\n  web:\n    image: "nginx\n', 'E The closing quote is missing.'],
  ['services: [', 'E The closing bracket is missing, or there is an error before it.'],
  ['services:\n  web:\n      image: a\n    ports: []\n', '4:1 E Inconsistent indentation.'],
  ['services:\n  web:\n    image: a\n    image: b\n', '4:5 E Duplicate key “image”.'],
  ['services: {a: *b}', '1:15 E The anchor &b is not defined above.'],
  ['x-a: &a\n  b: *a\n', '2:6 E The alias *a contains itself.'],
  ['services: {a: !ruby/object {image: x}}', 'E The tag !ruby/object is not supported. Remove it.'],
  [
    'services: {a: {image: b}}\n---\nservices: {}\n',
    '2:1 E Only one YAML document is allowed. Move everything above this line.',
  ],
  ['services: {a: {<<: 3, image: b}}', '1:20 E Only a mapping or a list of mappings can be merged with <<.'],
])('reports invalid YAML at its position: %j', (text, sentence) => {
  expect(problemsOf(text).join('\n')).toContain(sentence)
})

test.each([
  ['# nothing', '1:1 E A compose file must have the key services: with the services below it.'],
  ['- a', '1:1 E A compose file must have the key services: with the services below it.'],
  ['name: shop', '1:1 E The file has no services. Add at least one under services.'],
  ['services:\n  web:\n', '2:3 E web must be a mapping, but it is empty.'],
  ['services:\n  web:\n    imgae: nginx\n    image: nginx', '3:5 E Unknown key “imgae”. Did you mean image?'],
  [
    'services: {a: {image: b}}\nweb: {image: c}',
    '2:1 E Unknown key “web”. If it is a service, move it under services.',
  ],
  [
    'services:\n  my web: {image: nginx}',
    '2:3 E The name “my web” can contain only letters, digits, ., _ and -.',
  ],
  [inWeb('ports: 80'), '4:12 E ports must be a list.'],
  [inWeb('ports: {a: b}'), '4:5 E ports must be a list, not a mapping.'],
  [inWeb('security_opt: [a, a]'), '4:5 E security_opt must not contain duplicates.'],
  [inWeb('environment: {A: [1]}'), '4:19 E A must be text, a number or true or false, not a list.'],
  [
    inWeb('depends_on: {web2: {condition: ready}}', '', '').concat('\n  web2: {image: a}'),
    '4:36 E condition must be service_started, service_healthy or service_completed_successfully.',
  ],
  [inWeb('privileged: ["true"]'), '4:5 E privileged must be true or false or text, not a list.'],
])('reports a schema violation in one sentence: %j', (text, sentence) => {
  const problems = problemsOf(text)
  expect(problems).toEqual([sentence])
})

test.each([
  ['services:\n  web:\n    restart: always', '2:3 E Service web has neither image nor build. Set an image.'],
  [
    'services:\n  web:\n    image: My Image',
    '3:12 E Invalid image name. Use a name such as nginx:1.27 or ghcr.io/owner/name:2.0.',
  ],
  [inWeb('restart: sometimes'), '4:14 E restart must be no, always, unless-stopped or on-failure.'],
  [
    inWeb('stop_grace_period: 5 minutes'),
    '4:24 E stop_grace_period must be a duration, such as 30s or 1m30s.',
  ],
  [inWeb('depends_on: [wbe]'), '4:18 E The service wbe is not defined in the file. Did you mean web?'],
  [
    inWeb('networks: [back]'),
    '4:16 E The network back is not defined in the file. Define it under networks.',
  ],
  [
    inWeb('volumes: ["data:/data"]'),
    '4:15 E The volume data is not defined in the file. Define it under volumes.',
  ],
  [inWeb('secrets: [token]'), '4:15 E The secret token is not defined in the file. Define it under secrets.'],
  [
    inWeb('configs: [{source: c}]'),
    '4:15 E The config c is not defined in the file. Define it under configs.',
  ],
  [inWeb('extends: base'), '4:14 E The service base is not defined in the file.'],
  [
    inWeb('depends_on: [two]').concat('\n  two: {image: a, links: [web]}'),
    '4:5 E Circular dependency: web → two → web.',
  ],
  [
    inWeb('ports: ["8080:80"]').concat('\n  two: {image: a, ports: [{target: 1, published: 8080}]}'),
    'E Port 8080 is published by web too. Choose another port.',
  ],
  [
    inWeb('ports: ["22:22"]'),
    '4:13 E Ports 22, 2375 and 2376 are reserved for the server. Choose another port.',
  ],
  ...['8080:80-81', '8080-8083:80-81'].map((port) => [
    inWeb(`ports: ["${port}"]`),
    '4:13 E Both port ranges must have the same length.',
  ]),
  ...['localhost:80:80', '8080:80/http', '${UNSET}', '90000:80'].map((port) => [
    inWeb(`ports: ["${port}"]`),
    '4:13 E Invalid port mapping.',
  ]),
  ...['${UNSET}:/data', '${UNSET}', '/data:', 'data::ro'].map((mount) => [
    inWeb(`volumes: ["${mount}"]`),
    '4:15 E One side of a colon is empty.',
  ]),
  [inWeb('volumes: ["aa:/b:ro:z"]'), '4:15 E A mount has at most three parts'],
  [inWeb('volumes: [{type: bind, target: /x}]'), '4:15 E A bind mount needs a source.'],
  [
    inWeb('network_mode: host', 'networks: [default]'),
    '4:19 E A service can have either network_mode or networks. Remove one of them.',
  ],
  [inWeb('ports: ["80;rm -rf"]'), '4:13 E Invalid port mapping.'],
  [
    inWeb('image: "b:${TAG:?say which}"').replace('    image: nginx\n', ''),
    '3:15 E Variable TAG must be set: say which.',
  ],
  [inWeb('command: echo ${}'), '4:19 E ${ must be followed by a variable name.'],
  ...[
    '/',
    '/etc',
    '//etc//ssh',
    '/srv/../etc',
    '/boot',
    '/var/run/docker',
    '/var/lib/docker',
    '/proc/1/root',
  ].map((source) => [
    inWeb(`volumes: ["${source}:/x"]`),
    `4:15 E The folder ${source} is used by the operating system, Docker or Slipway, so it can only be mounted read-only. Add :ro`,
  ]),
  [inWeb('volumes: [{type: bind, source: /etc, target: /x}]'), 'E The folder /etc is used by'],
  [inWeb('volumes: ["/var/lib/slipway:/x:ro"]'), 'E The folder /var/lib/slipway is used by'],
  ...['/etc', 'etc', '/srv/../etc/'].map((device) => [
    `${inWeb()}\nvolumes: {a: {driver_opts: {type: none, o: bind, device: ${device}}}}`,
    `E The folder ${device} is used by`,
  ]),
  ...[
    ['{type: tmpfs, o: bind, device: /etc}', 'The folder /etc is used by'],
    ['{type: none, o: "rbind,ro", device: /}', 'The folder / is used by'],
    ['{type: none, o: "bind, ro", device: /srv}', 'The mount options contain spaces'],
    ['{type: ext4, device: /dev/sda1}', '/dev/sda1 is a disk on the server. Mount it on the server, then'],
  ].map(([options, reason]) => [`${inWeb()}\nvolumes: {a: {driver_opts: ${options}}}`, `E ${reason}`]),
  [inWeb('volumes: ["/var/lib:/x:ro"]'), 'E The folder /var/lib is used by'],
  [
    inWeb('volumes: [{type: bind, source: /etc, target: /x, read_only: true, bind: {recursive: writable}}]'),
    'E The folder /etc is used by',
  ],
  [inWeb('env_file: [.env, /etc/shadow]'), '4:22 E Slipway does not have this file.'],
  [inWeb('extends: {file: /etc/x.yaml, service: a}'), '4:21 E extends reads another file'],
  [inWeb('label_file: x'), '4:5 E label_file reads another file'],
  ['include: [/etc/passwd]\n'.concat(inWeb()), '1:1 E include reads another file'],
  [
    inWeb('depends_on: [two]').concat('\n  two: {image: a, profiles: [x]}'),
    '4:18 E two is disabled because none of its profiles is selected.',
  ],
  [
    inWeb('secrets: [s]').concat('\nsecrets: {s: {environment: TOKEN}}'),
    '5:28 E Variable TOKEN is not set. Add it to the environment variables.',
  ],
  [inWeb().concat('\nsecrets: {s: {}}'), '4:11 E Set one of file or environment.'],
  [
    inWeb().concat('\nconfigs: {c: {file: ./c, content: c}}'),
    '4:11 E Set one of file, environment or content.',
  ],
  [inWeb('isolation: hyperv'), '4:5 E isolation is for Windows containers'],
  [inWeb('secrets: [s]').concat('\nsecrets: {s: {external: true}}'), 'E External secrets need Docker Swarm.'],
])('reports unsupported configurations: %j', (text, sentence) => {
  expect(problemsOf(text).join('\n')).toContain(sentence)
})

test.each([
  [
    inWeb('ports: ["80:3000"]'),
    '4:13 W Port 80 is used by the proxy and is not published. Add a domain to the service instead.',
  ],
  [inWeb('ports: [3000]'), '4:13 W No server port is set, so the port is not published.'],
  [inWeb('command: ["$HOME"]'), '4:16 W Variable HOME is not set and is treated as empty.'],
  [inWeb('build: ./app'), '4:12 W Slipway has only this file.'],
  [inWeb('profiles: [debug]'), '4:5 W web is disabled because none of its profiles is selected.'],
  ['version: "3"\n'.concat(inWeb()), '1:1 W version is obsolete. Remove it.'],
  [inWeb('develop: {watch: []}'), '4:5 W develop applies only to local development. It is ignored.'],
  ...[
    'privileged: true',
    'network_mode: host',
    'pid: host',
    'devices: ["/dev/kvm:/dev/kvm"]',
    'cap_add: [SYS_ADMIN]',
    'security_opt: ["seccomp:unconfined"]',
    'volumes: ["/srv/x:/x"]',
    'volumes: ["../x:/x"]',
    'volumes: ["/var/run:/var/run:rw"]',
    'volumes: ["/:/rootfs:ro,rslave"]',
    'volumes: ["/proc:/host/proc:ro"]',
    'volumes: ["/sys:/host/sys:ro"]',
    'volumes: ["/etc/localtime:/etc/localtime"]',
    'volumes: ["/etc/timezone:/etc/timezone:ro"]',
    'volumes: ["/run/dbus:/run/dbus:ro"]',
    'volumes: ["/dev/dri:/dev/dri"]',
    'volumes: [{type: bind, source: /etc, target: /x, read_only: true}]',
    'network_mode: lan',
    'volumes: [{type: bind, source: /var/run/docker.sock, target: /s}]',
    'volumes: ["./data/x:/x"]',
    'volumes: [".:/all"]',
    'privileged: "${ON:-true}"',
    'network_mode: "${HOST:-host}"',
    'security_opt: ["apparmor=mine"]',
    'sysctls: { kernel.domainname: a }',
    'sysctls: ["kernel.domainname=a"]',
    'runtime: runsc',
    'volumes_from: ["container:foo"]',
    'logging: { driver: syslog }',
    'build: /srv/code',
    'build: { context: ., privileged: "${ON:-true}" }',
  ].map((line) => [inWeb(line), 'Only an admin can deploy this.']),
  ...[
    'volumes: { a: { driver: rclone } }',
    'volumes: { a: { driver_opts: { type: none, o: "bind,ro", device: /srv/data } } }',
    'volumes: { a: { driver_opts: { type: none, o: bind, device: ./etc } } }',
    'volumes: { a: { driver_opts: { type: tmpfs, device: tmpfs } } }',
    'networks: { a: { driver: macvlan } }',
    'networks: { a: { ipam: { config: [{ subnet: 8.8.8.0/24 }] } } }',
    'secrets: { a: { file: ../key } }',
  ].map((line) => [`${inWeb()}\n${line}`, 'Only an admin can deploy this.']),
  ...['volumes: { a: { external: true } }', 'networks: { a: { name: lan } }'].map((line) => [
    `${inWeb()}\n${line}`,
    'only an admin can deploy',
  ]),
])('reports questionable settings as warnings, not errors: %j', (text, sentence) => {
  const { problems } = validateComposeFile(text, given)
  expect(problemsOf(text).join('\n')).toContain(sentence)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
})

test.each([
  inWeb('command: ["$(date)", "$!", "costs $", "${A:-{}}"]'),
  inWeb('environment: [N=1, N=1]', 'cap_add: [CHOWN, CHOWN]', 'volumes: ["./a:/b", "./a:/b"]'),
  inWeb('ports: ["8080:80", "8080:80/tcp", "8081:80"]', 'dns: [192.0.2.1, 192.0.2.1]'),
  inWeb('ports: ["5000-7000:5000-7000", "10000-59999:10000-59999/udp"]'),
  inWeb('configs: [empty]').concat('\nconfigs: {empty: {content: ""}}'),
  inWeb('env_file: "${FILE:-./.env}"'),
  `x-a: &a {restart: always}\n${inWeb('!!merge <<: *a')}`,
  inWeb('ulimits: {nofile: 0, core: {soft: 0, hard: 0}}'),
  inWeb('network_mode: default'),
])('accepts what Docker Compose accepts: %j', (text) => {
  expect(problemsOf(text).filter((problem) => !/W Variable (A|FILE) is not set/.test(problem))).toEqual([])
})

test('accepts all keys of develop.watch', () => {
  const watch =
    '{action: sync+exec, path: ., target: /a, include: [b], initial_sync: true, exec: {command: c}}'
  expect(problemsOf(inWeb(`develop: {watch: [${watch}]}`)).join('\n')).not.toContain(' E ')
})

test('does not check the contents of disabled services, nor those that extend them', () => {
  const base =
    'base: {profiles: [never], depends_on: [db, nope], networks: [nope], volumes: ["/etc:/x"], env_file: dev.env}'
  expect(problemsOf(`${inWeb()}\n  ${base}\n  two: {extends: base, isolation: x}\n  db: {image: a}`)).toEqual(
    [
      '4:10 W base is disabled because none of its profiles is selected.',
      expect.stringContaining('W Slipway does not have this file, so it is skipped.'),
      '5:3 W two is disabled because none of its profiles is selected.',
    ],
  )
})

test('default capabilities and folders of the application need no permission', () => {
  expect(
    problemsOf(
      inWeb(
        'cap_add: [CAP_CHOWN, net_bind_service]',
        'volumes: ["./data:/x"]',
        'sysctls: { net.core.somaxconn: 1 }',
        'logging: { driver: local }',
        'privileged: "${OFF:-false}"',
      ),
    ),
  ).toEqual([])
})

test.each([
  ['\u2028', '2028'],
  ['\u2029', '2029'],
  ['\u0085', '0085'],
  ['\r', '000D'],
  ['\ufeff', 'FEFF'],
  ['\ud800', 'D800'],
])('refuses characters that only Compose treats as line breaks: %j', (character, code) => {
  expect(problemsOf(inWeb(`labels: {} # x${character}    env_file: /tmp/other.env`))).toEqual([
    `4:19 E The character U+${code} is not allowed in a compose file. Remove it.`,
  ])
})

test('accepts common line breaks, a byte order mark and all letters', () => {
  expect(problemsOf(`\ufeff${inWeb('labels: {a: "日本 😀 é"}').replaceAll('\n', '\r\n')}\r\n`)).toEqual([])
})

test.each([
  [inWeb('env_file: !reset /etc/passwd'), 'E Only null or [] can follow !reset.'],
  [inWeb('!!binary ZW52X2ZpbGU=: /etc/passwd'), 'E A key cannot have a tag. Remove it.'],
  [inWeb('!!str <<: {env_file: .env}'), 'E A key cannot have a tag. Remove it.'],
  [inWeb('env_file: "${DOCKER_CONFIG:+/srv/}.env"'), '4:15 E Slipway does not have this file.'],
  [
    `x-a: &a "\${COMPOSE_PROJECT_NAME:+/srv/}.env"\n${inWeb('env_file: [{path: *a}]')}`,
    'E Slipway does not have this file.',
  ],
])('prevents Compose from reading other files: %j', (text, sentence) => {
  expect(problemsOf(text).join('\n')).toContain(sentence)
})

test.each([
  ['[{path: dev.env, required: false}]', 'W'],
  ['[{path: ./conf/dev.env, required: "${N:+false}"}]', 'W'],
  ['[{path: dev.env, required: true}]', 'E'],
  ['[{path: /etc/shadow, required: false}]', 'E'],
  ['[{path: ~/.env, required: false}]', 'E'],
  ['[{path: a/../../b, required: false}]', 'E'],
  ['"${FILE:-/etc/shadow}"', 'E'],
  ['[{path: "${HOME}/x", required: false}]', 'E'],
  ['[{path: "$PWD/x", required: false}]', 'E'],
  ['[{path: "${DOCKER_CONFIG}x", required: false}]', 'E'],
  ['[{path: "${A:-{}/etc/shadow}", required: false}]', 'E'],
])('reads no file of the server for env_file: %s', (value, severity) => {
  const [first] = problemsOf(inWeb(`env_file: ${value}`)).filter((problem) => problem.includes('this file'))
  expect(first).toContain(` ${severity} Slipway does not have this file`)
})

test("never interpolates Compose's own settings", () => {
  const env = [{ key: 'COMPOSE_X', value: 'nginx' }]
  const { services } = validateComposeFile('services: {web: {image: "${COMPOSE_X:-httpd}"}}', {
    env,
    profiles: [],
  })
  expect(services).toMatchObject([{ image: 'httpd' }])
  expect(problemsOf(inWeb('ports: !reset []', 'labels: !reset null'))).toEqual([])
})
