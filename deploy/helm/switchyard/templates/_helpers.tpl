{{- define "switchyard.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "switchyard.selector" -}}
app.kubernetes.io/name: switchyard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "switchyard.labels" -}}
{{ include "switchyard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "switchyard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* Refuses what would start and then not work. */}}
{{- define "switchyard.check" -}}
{{- if not .Values.publicUrl -}}
{{- fail "Set publicUrl: all pods must give the same address, such as https://pay.example.com." -}}
{{- end -}}
{{- if not .Values.secret.name -}}
{{- fail "Set secret.name to a Secret with DATABASE_URL, SECRET_KEY and VAULT_KEY." -}}
{{- end -}}
{{- if and (not .Values.data.existingClaim) (or (eq .Values.environment "sandbox") (not (index .Values.settings "REPORTS_S3_URL"))) -}}
{{- fail "Set data.existingClaim to a ReadWriteMany claim. Production with settings.REPORTS_S3_URL needs none." -}}
{{- end -}}
{{- end -}}

{{/* What all containers have in common. The dictionary has the root as `root`, and the role of the pods as `role`. */}}
{{- define "switchyard.container" -}}
image: {{ include "switchyard.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  - name: ENVIRONMENT
    value: {{ .root.Values.environment }}
  - name: PUBLIC_URL
    value: {{ .root.Values.publicUrl | quote }}
  - name: INSTANCE_ID
    value: {{ .root.Values.instanceId | quote }}
  - name: ROLE
    value: {{ .role }}
{{- range $name, $value := .root.Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
{{- end }}
{{- range .root.Values.secret.keys }}
  - name: {{ . }}_FILE
    value: /run/secrets/switchyard/{{ . }}
{{- end }}
volumeMounts:
  - name: secret
    mountPath: /run/secrets/switchyard
    readOnly: true
  - name: data
    mountPath: /var/lib/switchyard
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* What all pods have in common. */}}
{{- define "switchyard.pod" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{ toYaml . | indent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
# Requests and jobs finish first.
terminationGracePeriodSeconds: 60
volumes:
  - name: secret
    secret:
      secretName: {{ .Values.secret.name }}
      defaultMode: 0440
  - name: data
{{- if .Values.data.existingClaim }}
    persistentVolumeClaim:
      claimName: {{ .Values.data.existingClaim }}
{{- else }}
    emptyDir: {}
{{- end }}
  - name: tmp
    emptyDir:
      medium: Memory
      sizeLimit: 64Mi
{{- with .Values.nodeSelector }}
nodeSelector:
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
{{ toYaml . | indent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
{{ toYaml . | indent 2 }}
{{- end }}
{{- end -}}
