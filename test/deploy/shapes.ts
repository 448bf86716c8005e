/**
 * What the files for containers may say: the fields of Compose (compose-spec) and Kubernetes (v1.30) that they use, and
 * no others, so that a misspelt one is found.
 */
import * as z from 'zod';

const text = z.string().min(1);
const texts = z.array(text);
const whole = z.int().positive();
const duration = z.string().regex(/^\d+(?:ms|s|m)$/);

const Service = z.strictObject({
  image: text,
  build: z.strictObject({ context: text }).optional(),
  restart: z.enum(['unless-stopped']),
  env_file: text.optional(),
  environment: z.record(z.string(), text).optional(),
  secrets: texts.optional(),
  command: texts.optional(),
  depends_on: z
    .union([texts, z.record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) }))])
    .optional(),
  healthcheck: z.strictObject({ test: texts, interval: duration, timeout: duration, retries: whole }).optional(),
  stop_grace_period: duration.optional(),
  read_only: z.boolean().optional(),
  tmpfs: texts.optional(),
  cap_drop: texts.optional(),
  security_opt: texts.optional(),
  mem_limit: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  pids_limit: whole.optional(),
  ports: texts.optional(),
  volumes: texts.optional(),
  networks: texts,
});

export const Compose = z.object({
  name: text,
  services: z.record(z.string(), Service),
  secrets: z.record(z.string(), z.strictObject({ file: text })),
  volumes: z.record(z.string(), z.strictObject({})),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
});

const labels = z.record(z.string(), text);
const metadata = z.strictObject({ name: text, labels });
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: text, port: text }),
  periodSeconds: whole,
  timeoutSeconds: whole,
  failureThreshold: whole,
});

const Container = z.strictObject({
  name: text,
  image: text,
  ports: z.array(z.strictObject({ name: text, containerPort: whole })),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: text }) })),
  startupProbe: Probe,
  readinessProbe: Probe,
  livenessProbe: Probe,
  lifecycle: z.strictObject({ preStop: z.strictObject({ sleep: z.strictObject({ seconds: whole }) }) }),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: text, memory: text }),
    limits: z.strictObject({ memory: text }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: text, mountPath: text, readOnly: z.boolean().optional() })),
});

const Pod = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  terminationGracePeriodSeconds: whole,
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: whole,
    runAsGroup: whole,
    fsGroup: whole,
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: whole,
      topologyKey: text,
      whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
      labelSelector: z.strictObject({ matchLabels: labels }),
    }),
  ),
  containers: z.tuple([Container]),
  volumes: z.array(
    z.strictObject({
      name: text,
      secret: z.strictObject({ secretName: text, defaultMode: z.int() }).optional(),
      emptyDir: z.strictObject({ sizeLimit: text }).optional(),
    }),
  ),
});

export const ConfigMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata,
  data: z.record(z.string(), z.string()),
});

export const StatefulSet = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('StatefulSet'),
  metadata,
  spec: z.strictObject({
    replicas: whole,
    selector: z.strictObject({ matchLabels: labels }),
    serviceName: text,
    podManagementPolicy: z.literal('Parallel'),
    updateStrategy: z.strictObject({ type: z.literal('RollingUpdate') }),
    persistentVolumeClaimRetentionPolicy: z.strictObject({
      whenDeleted: z.literal('Retain'),
      whenScaled: z.literal('Retain'),
    }),
    volumeClaimTemplates: z.array(
      z.strictObject({
        metadata: z.strictObject({ name: text }),
        spec: z.strictObject({
          accessModes: z.tuple([z.literal('ReadWriteOnce')]),
          resources: z.strictObject({ requests: z.strictObject({ storage: text }) }),
        }),
      }),
    ),
    template: z.strictObject({ metadata: z.strictObject({ labels }), spec: Pod }),
  }),
});

export const KubeService = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name: text, port: whole, targetPort: text })),
  }),
});

export const DisruptionBudget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ minAvailable: whole, selector: z.strictObject({ matchLabels: labels }) }),
});
