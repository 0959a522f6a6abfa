#!/usr/bin/env bash
# Several instances of the service behind nginx, all on this machine.
#
#   ./serve.sh INSTANCES [QILI SERVE OPTION…]      e.g. ./serve.sh 2 --database postgres://…
#
# The balancer listens on QILI_PORT (18490), the instances on the ports after it. Options go to every
# instance: with --database they share one store. Ends when it is interrupted, or an instance does.
set -euo pipefail
instances=${1:?how many instances}
shift
qili=${QILI:-qili}
port=${QILI_PORT:-18490}
folder=$(mktemp -d)
# The workers of an nginx started by root are not root.
chmod 711 "$folder"
children=()

end() {
    trap - EXIT INT TERM
    if ((${#children[@]})); then
        kill "${children[@]}" 2>/dev/null || true
        wait "${children[@]}" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 0' INT TERM

upstream=""
for ((i = 1; i <= instances; i++)); do
    "$qili" serve --bind "127.0.0.1:$((port + i))" --log warn "$@" &
    children+=($!)
    upstream+="        server 127.0.0.1:$((port + i)) max_fails=1 fail_timeout=2s;"$'\n'
done

cat > "$folder/nginx.conf" <<CONF
daemon off;
pid $folder/pid;
error_log stderr error;
worker_processes 1;
events { worker_connections 512; }
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
    upstream qili {
        least_conn;
$upstream        keepalive 32;
    }
    server {
        listen 127.0.0.1:$port;
        client_max_body_size 16m;
        location / {
            proxy_pass http://qili;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            # The service answers to its own names alone.
            proxy_set_header Host \$host;
            proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
            # A ruling is the same whoever gives it: what one instance drops goes to the next.
            proxy_next_upstream error timeout http_502 http_503 http_504 non_idempotent;
            # Answers go out as they come. Once they do, nginx carries nothing more of the request:
            # a batch must not be longer than --max-body, which the service takes in whole first.
            proxy_buffering off;
        }
    }
}
CONF
"${QILI_NGINX:-nginx}" -p "$folder" -c "$folder/nginx.conf" -e stderr &
children+=($!)
# An instance may come to its end while the others go on; without nginx there is no service.
wait "${children[-1]}"
