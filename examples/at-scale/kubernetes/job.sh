#!/bin/sh
# Runs the same on a cluster. The image IMAGE holds a shell, posthog-sync and the snapshot
# /base.json. Secret and claim are made once, the Job anew for each run.
set -eu

kubectl create secret generic posthog-sync-keys --from-literal=SHOP_KEY="$SHOP_KEY" --from-literal=APP_KEY="$APP_KEY" \
	--dry-run=client --output=yaml | kubectl apply --filename=-
kubectl apply --filename=reports.yaml

kubectl delete job posthog-sync --ignore-not-found
posthog-sync shard --jobs 8 --format kubernetes --image "$IMAGE" -- diff file:/base.json live | kubectl apply --filename=-
kubectl wait --for=condition=Complete --timeout=1h job/posthog-sync || true

# One pod reads all reports.
kubectl run posthog-sync-report --rm --stdin --restart=Never --image="$IMAGE" --overrides='{"spec": {
  "containers": [{"name": "report", "image": "'"$IMAGE"'", "command": ["/bin/sh", "-ec", "posthog-sync merge-reports /reports/*.json"],
    "volumeMounts": [{"name": "reports", "mountPath": "/reports"}]}],
  "volumes": [{"name": "reports", "persistentVolumeClaim": {"claimName": "posthog-sync-reports"}}]}}'
