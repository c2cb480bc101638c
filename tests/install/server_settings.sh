# What real servers want besides the configuration of scidfs-export(7), or of tests/install/http, to listen at a port of
# this machine and keep their files in "$folder". servers.sh sources it.
# shellcheck shell=bash disable=SC2154 # servers.sh has made $folder

# configure_nfs PORT PORT: Ganesha wants a second one for a protocol that nobody uses here.
configure_nfs() {
  mkdir -p "$folder/recovery"
  {
    cat << EOF_NFS
NFS_CORE_PARAM {
  NFS_Port = $1; MNT_Port = $2; NLM_Port = 0; Rquota_Port = 0; Protocols = 4;
  Bind_addr = 127.0.0.1; Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false;
}
NFSv4 { RecoveryBackend = fs; RecoveryRoot = $folder/recovery; Graceless = true; Only_Numeric_Owners = true; }
EOF_NFS
    from_page ganesha.conf
  } > "$folder/nfs.conf"
}
serve_nfs() { serve nfs ganesha.nfsd -F -f "$folder/nfs.conf" -L "$folder/nfs.log" -p "$folder/nfs.pid" -N NIV_EVENT; }

# configure_samba PORT
configure_samba() {
  mkdir -p "$folder"/smb/{lock,state,cache,pid,private,rpc}
  from_page smb.conf > "$folder/page.smb.conf"
  cat > "$folder/smb.conf" << EOF_SMB
[global]
  server role = standalone server
  lock directory = $folder/smb/lock
  state directory = $folder/smb/state
  cache directory = $folder/smb/cache
  pid directory = $folder/smb/pid
  private dir = $folder/smb/private
  ncalrpc dir = $folder/smb/rpc
  log file = $folder/smb.log
  interfaces = lo
  bind interfaces only = yes
  smb ports = $1
  disable spoolss = yes
  load printers = no
  include = $folder/page.smb.conf
EOF_SMB
}
serve_samba() { serve smb smbd --foreground --configfile="$folder/smb.conf"; }

# configure_ssh PORT: also writes ssh.conf for clients, with a host called chess; the user is root.
configure_ssh() {
  local kind
  mkdir -p "$folder/ssh" /run/sshd
  chmod 700 "$folder/ssh"
  for kind in host user; do ssh-keygen -q -t ed25519 -N "" -f "$folder/ssh/$kind"; done
  {
    cat << EOF_SSH
Port $1
ListenAddress 127.0.0.1
HostKey $folder/ssh/host
PidFile $folder/ssh/pid
AuthorizedKeysFile $folder/ssh/user.pub
UsePAM no
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
EOF_SSH
    from_page sshd_config | sed 's/^Match Group chess$/Match User root/'
  } > "$folder/sshd.conf"
  cat > "$folder/ssh.conf" << EOF_SSH
Host chess
  HostName 127.0.0.1
  Port $1
  User root
  IdentityFile $folder/ssh/user
  IdentitiesOnly yes
  UserKnownHostsFile $folder/ssh/known
  StrictHostKeyChecking accept-new
  LogLevel ERROR
EOF_SSH
}
serve_ssh() { serve ssh /usr/sbin/sshd -D -e -f "$folder/sshd.conf"; }

# configure_nginx PORT PORT: twice the same, with the bytes sent by the kernel and by nginx itself.
configure_nginx() {
  mkdir -p "$folder/nginx"
  chown www-data "$folder/nginx"
  for_http explorer.lua > "$folder/explorer.lua"
  { for_http nginx.conf && for_http nginx-explorer.conf; } > "$folder/page.nginx.conf"
  cat > "$folder/nginx.conf" << EOF_NGINX
include /etc/nginx/modules-enabled/*.conf;
user www-data;
daemon off;
pid $folder/nginx.pid;
error_log $folder/nginx.log;
worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path $folder/nginx/body; proxy_temp_path $folder/nginx/proxy; fastcgi_temp_path $folder/nginx/fastcgi;
  uwsgi_temp_path $folder/nginx/uwsgi; scgi_temp_path $folder/nginx/scgi;
  keepalive_requests 100000;
  server { listen 127.0.0.1:$1; sendfile on; include $folder/page.nginx.conf; }
  server { listen 127.0.0.1:$2; sendfile off; include $folder/page.nginx.conf; }
}
EOF_NGINX
}
serve_nginx() { serve nginx nginx -c "$folder/nginx.conf" -e "$folder/nginx.log"; }

# configure_lighttpd PORT
configure_lighttpd() {
  mkdir -p "$folder/lighttpd"
  chown www-data "$folder/lighttpd"
  for_http explorer.lua > "$folder/explorer.lua"
  {
    cat << EOF_LIGHTTPD
server.bind = "127.0.0.1"
server.port = $1
server.username = "www-data"
server.groupname = "www-data"
server.document-root = "$folder/lighttpd"
server.upload-dirs = ( "$folder/lighttpd" )
server.max-keep-alive-requests = 100000
EOF_LIGHTTPD
    for_http lighttpd.conf
    for_http lighttpd-explorer.conf
  } > "$folder/lighttpd.conf"
}
serve_lighttpd() { serve lighttpd lighttpd -D -f "$folder/lighttpd.conf"; }
