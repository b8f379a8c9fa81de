{{- define "parcelworks.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What selects all pods of a release. */}}
{{- define "parcelworks.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Of pods, which a new version of the chart alone does not replace. */}}
{{- define "parcelworks.podLabels" -}}
{{ include "parcelworks.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | quote }}
{{- end }}

{{/* The workers of a process and a build, which is empty for those without one: dict root, process, build */}}
{{- define "parcelworks.workers" -}}
{{ include "parcelworks.name" .root }}-{{ .process }}{{ with .build }}-{{ lower . | replace "." "-" | replace "_" "-" | trunc 20 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What selects their pods: the same dict. The label is there without a build too: an autoscaler does nothing where its
pods are also those of another. */}}
{{- define "parcelworks.workersSelector" -}}
{{ include "parcelworks.selector" .root }}
app.kubernetes.io/component: {{ .process }}
parcelworks/build: {{ .build | quote }}
{{- end }}

{{/* Of their pods. Those of a build stay as they are when another one comes: the same dict. */}}
{{- define "parcelworks.workersLabels" -}}
{{ include "parcelworks.workersSelector" . }}
app.kubernetes.io/version: {{ .build | default .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | quote }}
{{- end }}

{{- define "parcelworks.labels" -}}
{{ include "parcelworks.podLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* dict root, process, and build where workers have one */}}
{{- define "parcelworks.image" -}}
{{- $own := eq .process "api" | ternary .root.Values.api.tag .build -}}
{{ .root.Values.image.repository }}-{{ .process }}:{{ $own | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* Seconds in which a process finishes its work. */}}
{{- define "parcelworks.graceSeconds" -}}
{{ divf .Values.config.SHUTDOWN_GRACE_MS 1000 | ceil | int }}
{{- end }}

{{- define "parcelworks.hasVolume" -}}
{{- if not .Values.config.STORAGE_S3_BUCKET }}yes{{ end }}
{{- end }}

{{- define "parcelworks.env" -}}
{{- range $name, $value := .Values.config }}
- name: {{ $name }}
  {{- /* Whole numbers come as floats, and would be 1e+08. */}}
  value: {{ if and (kindIs "float64" $value) (eq (floor $value) $value) }}{{ int64 $value | quote }}{{ else }}{{ $value | quote }}{{ end }}
{{- end }}
{{- range .Values.secrets.keys }}
- name: {{ . }}_FILE
  value: /run/secrets/parcelworks/{{ . }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "parcelworks.mounts" -}}
- { name: secrets, mountPath: /run/secrets/parcelworks, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- if include "parcelworks.hasVolume" . }}
- { name: storage, mountPath: /data/storage }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "parcelworks.volumes" -}}
- name: secrets
  {{- if .Values.secrets.volume }}
  {{- toYaml .Values.secrets.volume | nindent 2 }}
  {{- else }}
  secret:
    secretName: {{ required "secrets.existingSecret or secrets.volume is required" .Values.secrets.existingSecret }}
    defaultMode: 0440
  {{- end }}
- name: tmp
  # A pod that needs more is evicted.
  emptyDir: { sizeLimit: {{ .tmpSize | default "512Mi" }} }
{{- if include "parcelworks.hasVolume" . }}
- name: storage
  persistentVolumeClaim:
    {{- if .Values.storage.create }}
    claimName: {{ include "parcelworks.name" . }}-storage
    {{- else }}
    claimName: {{ required "a storage is required: config.STORAGE_S3_BUCKET, storage.existingClaim or storage.create" .Values.storage.existingClaim }}
    {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Of a pod: dict root, and seccomp where it is not the runtime's own. */}}
{{- define "parcelworks.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  {{- if .seccomp }}
  type: Localhost
  localhostProfile: {{ .seccomp }}
  {{- else }}
  type: RuntimeDefault
  {{- end }}
{{- end }}

{{- define "parcelworks.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Where the pods of a process run: dict root, process, values */}}
{{- define "parcelworks.placement" -}}
topologySpreadConstraints:
  {{- if .values.topologySpreadConstraints }}
  {{- toYaml .values.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  {{- /* The cluster's own rules count no more once there is one, zones among them. */}}
  {{- $pods := . }}
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    # A rollout's old pods do not count.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "parcelworks.selector" $pods.root | nindent 8 }}
        app.kubernetes.io/component: {{ $pods.process }}
  {{- end }}
  {{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
